// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of a region: roots, byte offsets, and what is known of two
// roots.

#ifndef LOOM_PASSES_STRUCTURED_VIEWS_MEMORY_H
#define LOOM_PASSES_STRUCTURED_VIEWS_MEMORY_H

#include "Domains.h"

namespace loom::views {

struct Root {
  mlir::Value value;
  RootView::Kind kind = RootView::Pointer;
  mlir::Operation *scope = nullptr; ///< innermost loop it may vary with
};

struct Access {
  mlir::Operation *op = nullptr;
  unsigned order = 0; ///< number of the operation
  bool isWrite = false;
  unsigned width = 0;
  unsigned root = 0;
  bool known = false;
  LinearForm offset; ///< address == root + offset modulo 2^64, when known
  std::string why;   ///< when not known
};

class Memory {
public:
  explicit Memory(AffineValues &values);

  std::vector<Root> roots;
  std::vector<Access> accesses;
  std::vector<mlir::Operation *> unknownEffects;

  AliasView alias(unsigned a, unsigned b) const;

  /// What the accesses of counted loops say about how long they run: upper
  /// bounds of iteration variables for whatever executes in `block`.
  ///
  /// An access that a loop makes in each iteration, with an address that moves
  /// by a constant c, stays inside one object; objects are smaller than 2^63
  /// bytes; so no step wraps and |c| times the iterations is less than 2^63.
  std::map<unsigned, Integer> limits(mlir::Block *block) const;

  /// All instances of `access` that share its root have offsets that don't
  /// wrap on the way from the first one: the same argument, one loop after the
  /// other. `start` is the offset of that first one; `rangeOf` bounds a form
  /// wherever the access is made.
  bool unwrapped(const Access &access,
                 llvm::function_ref<Interval(const LinearForm &)> rangeOf,
                 LinearForm &start) const;

private:
  struct Address {
    mlir::Value root;
    LinearForm offset;
    std::string why;
  };
  Address resolve(mlir::Value pointer, unsigned depth = 0);
  Address resolveArgument(mlir::BlockArgument argument, unsigned depth);
  void addAccess(mlir::Operation *op, mlir::Value address, mlir::Type type,
                 bool isWrite, unsigned order);
  unsigned rootNumber(mlir::Value value);
  void limitFrom(const Access &access, mlir::Operation *loop,
                 std::map<unsigned, Integer> &limits) const;

  std::optional<Interval>
  moveOf(const LinearForm &offset, mlir::Operation *loop,
         llvm::function_ref<Interval(const LinearForm &)> rangeOf) const;

  AffineValues &values;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
};

} // namespace loom::views

#endif
