// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Response files (@file) in the GNU notation.

#ifndef LOOM_DRIVER_CC_RESPONSEFILE_H
#define LOOM_DRIVER_CC_RESPONSEFILE_H

#include <string>
#include <vector>

namespace loom::cc {

/// `args` with every @file replaced by the words of the file. A file that
/// can't be read stays as it is, as in the GNU tools.
std::vector<std::string>
expandResponseFiles(const std::vector<std::string> &args);

} // namespace loom::cc

#endif
