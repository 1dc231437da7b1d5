// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunArguments.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;
using namespace loom::tool;
using llvm::Error;
using llvm::Expected;

Error tool::runError(RunFault fault, const Twine &detail) {
  std::string text =
      runFaultCode(fault).str() + ": " + runFaultText(fault).str();
  std::string what = detail.str();
  if (!what.empty())
    text += ": " + what;
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                 text.c_str());
}

static bool readLane(StringRef text, Type type, Lane &lane) {
  text = text.trim();
  if (text == "poison") {
    lane.poison = true;
    return true;
  }
  unsigned width = laneWidth(type);
  if (auto real = dyn_cast<FloatType>(type)) {
    APFloat value(real.getFloatSemantics());
    auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return false;
    }
    lane.bits = value.bitcastToAPInt().getZExtValue();
    return true;
  }
  if (type.isInteger(1) && (text == "true" || text == "false")) {
    lane.bits = text == "true";
    return true;
  }
  APInt value;
  bool negative = text.consume_front("-");
  if (text.getAsInteger(0, value) || value.getActiveBits() > width)
    return false;
  value = value.zextOrTrunc(width);
  if (negative && value.ugt(APInt::getSignedMinValue(width)))
    return false;
  lane.bits = (negative ? -value : value).getZExtValue();
  return true;
}

static bool readToken(StringRef text, Type type, Token &token) {
  SmallVector<StringRef> lanes;
  text.split(lanes, ',');
  for (StringRef lane : lanes)
    if (!readLane(lane, laneType(type), token.lanes.emplace_back()))
      return false;
  return true;
}

static bool readPlace(StringRef text, RunArgument &argument) {
  if (!text.consume_front("@"))
    return false;
  auto [input, offset] = text.split('+');
  std::pair<unsigned, uint64_t> place = {0, 0};
  if (input.getAsInteger(10, place.first) ||
      (!offset.empty() && offset.getAsInteger(0, place.second)))
    return false;
  argument.place = place;
  return true;
}

static bool readHex(StringRef text, RunArgument &argument) {
  std::string digits, bytes;
  for (char c : text)
    if (!llvm::isSpace(c))
      digits += c;
  if (digits.size() % 2 != 0 || !llvm::tryGetFromHex(digits, bytes))
    return false;
  argument.memory.emplace(bytes.begin(), bytes.end());
  return true;
}

static bool readMemory(StringRef text, RunArgument &argument) {
  constexpr uint64_t most = uint64_t(1) << 26;
  if (readPlace(text, argument))
    return true;
  if (text.consume_front("hex:"))
    return readHex(text, argument);
  uint64_t size;
  if (!text.getAsInteger(0, size)) {
    if (size > most)
      return false;
    argument.memory.emplace(size, 0);
    return true;
  }
  auto file = llvm::MemoryBuffer::getFile(text);
  return file && (*file)->getBufferSize() <= 4 * most &&
         readHex((*file)->getBuffer(), argument);
}

static bool readStream(StringRef text, Type type, RunArgument &argument) {
  SmallVector<StringRef> tokens;
  if (!text.empty())
    text.split(tokens, ';');
  for (StringRef token : tokens)
    if (!readToken(token, type, argument.tokens.emplace_back()))
      return false;
  return true;
}

Expected<std::vector<RunArgument>>
tool::readArguments(Operation *entry, ArrayRef<ArgumentText> texts) {
  auto inputs = entryInputs(entry);
  std::vector<RunArgument> arguments(inputs.size());
  std::vector<bool> given(inputs.size());
  for (const ArgumentText &text : texts) {
    bool good = text.input < inputs.size() && !given[text.input];
    if (good) {
      RunArgument &argument = arguments[text.input];
      Type type = inputs[text.input].first;
      given[text.input] = true;
      if (text.kind == ArgumentText::Memory)
        good = readMemory(text.text, argument);
      else if (text.kind == ArgumentText::Stream)
        good = readStream(text.text, type, argument);
      else
        good = readPlace(text.text, argument) ||
               readToken(text.text, type, argument.tokens.emplace_back());
    }
    if (!good)
      return runError(RunFault::Argument,
                      "input " + Twine(text.input) + ": " + text.text);
  }
  return arguments;
}
