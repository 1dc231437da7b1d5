// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment.

#include "Core/Options.h"
#include "Devices/Sim/Engine.h"
#include "Support/Text.h"

#include <pthread.h>
#include <unistd.h>

extern "C" char **environ;

namespace loom::rt {

bool parseCount(const char *text, uint64_t &value) {
  if (strcmp(text, "unlimited") == 0) {
    value = unlimited;
    return true;
  }
  if (*text < '0' || *text > '9')
    return false;
  uint64_t number = 0;
  for (; *text >= '0' && *text <= '9'; ++text)
    if (__builtin_mul_overflow(number, uint64_t(10), &number) ||
        __builtin_add_overflow(number, uint64_t(*text - '0'), &number))
      return false;
  uint64_t factor = 1;
  if (*text == 'k' || *text == 'K')
    factor = 1000;
  else if (*text == 'm' || *text == 'M')
    factor = 1000000;
  else if (*text == 'g' || *text == 'G')
    factor = 1000000000;
  if (factor != 1)
    ++text;
  return *text == 0 && !__builtin_mul_overflow(number, factor, &value);
}

bool isKnownVariable(const char *name, unsigned length) {
  static const char *const known[] = {"LOOM_DEVICE",
                                      "LOOM_OFFLOAD",
                                      "LOOM_VERIFY",
                                      "LOOM_INFO",
                                      "LOOM_STATS",
                                      "LOOM_SIM_BUDGET",
                                      "LOOM_SIM_ORDER",
                                      "LOOM_SIM_ENGINE",
                                      "LOOM_SIM_TIMING",
                                      "LOOM_CAPTURE",
                                      "LOOM_CAPTURE_LAUNCHES",
                                      "LOOM_REPORT",
                                      "LOOM_DUMP",
                                      "LOOM_MAX_NEST",
                                      "LOOM_DISABLE",
                                      "LOOM_VERIFY_EACH",
                                      "LOOM_CONFIGURE_ONLY",
                                      "LOOM_PLUGIN",
                                      "LOOM_RUNTIME",
                                      "LOOM_HOME",
                                      "LOOM_CLANG",
                                      "LOOM_LLVM",
                                      "LOOM_ROOT",
                                      "LOOM_INJECT_REFUSAL",
                                      "LOOM_GATE",
                                      "LOOM_GATE_INPUTS",
                                      "LOOM_GATE_DEFECT",
                                      "LOOM_GRAPHS",
                                      "LOOM_TARGET"};
  for (const char *entry : known)
    if (strlen(entry) == length && memcmp(entry, name, length) == 0)
      return true;
  // Variables of build and test scripts.
  static const char *const prefixes[] = {"LOOM_BUILD", "LOOM_TEST",
                                         "LOOM_BENCH", "LOOM_CC",
                                         "LOOM_CXX",   "LOOM_LINK"};
  for (const char *prefix : prefixes)
    if (length >= strlen(prefix) && memcmp(prefix, name, strlen(prefix)) == 0)
      return true;
  return false;
}

namespace {

/// The parse of one environment.
struct Parser {
  Lookup lookup;
  void (*note)(const char *);

  void malformed(const char *name, const char *value, const char *wants) {
    Text text;
    text.str(name).str("=").str(value).str(" is not understood (").str(wants);
    text.str("); using the default");
    note(text.c_str());
    text.release();
  }

  /// The value, null when unset or empty.
  const char *get(const char *name) {
    const char *value = lookup(name);
    return value && *value ? value : nullptr;
  }

  void count(const char *name, uint64_t &value) {
    if (const char *text = get(name))
      if (!parseCount(text, value))
        malformed(name, text, "a number, with k, M or G, or 'unlimited'");
  }

  void device(Options &options);
  void order(Options &options);
  void engine(Options &options);
  void info(Options &options);
};

} // namespace

void Parser::device(Options &options) {
  if (const char *text = get("LOOM_DEVICE")) {
    if (strcmp(text, "host") == 0)
      options.device = DeviceKind::Host;
    else if (strcmp(text, "auto") == 0)
      options.device = DeviceKind::Auto;
    else if (strcmp(text, "model") == 0)
      options.device = DeviceKind::Model;
    else if (strcmp(text, "sim") == 0)
      options.device = DeviceKind::Sim;
    else
      malformed("LOOM_DEVICE", text, "auto, sim, model or host");
  }
  if (const char *text = get("LOOM_OFFLOAD")) {
    if (strcmp(text, "off") == 0)
      options.device = DeviceKind::Host;
    else if (strcmp(text, "mandatory") == 0)
      options.mandatory = true;
    else if (strcmp(text, "default") != 0)
      malformed("LOOM_OFFLOAD", text, "default, off or mandatory");
  }
}

void Parser::order(Options &options) {
  const char *text = get("LOOM_SIM_ORDER");
  if (!text || strcmp(text, "static") == 0)
    return;
  if (strncmp(text, "random", 6) == 0 && text[6] == 0)
    options.randomOrder = true;
  else if (strncmp(text, "random:", 7) == 0 &&
           parseCount(text + 7, options.orderSeed))
    options.randomOrder = true;
  else
    malformed("LOOM_SIM_ORDER", text, "static, random or random:SEED");
}

void Parser::engine(Options &options) {
  const char *text = get("LOOM_SIM_ENGINE");
  if (!text || strcmp(text, "plan") == 0)
    return;
  if (strcmp(text, "interpreter") == 0)
    options.engine = SimEngine::Interpreter;
  else if (strcmp(text, "tokens") == 0)
    options.engine = SimEngine::Tokens;
  else
    malformed("LOOM_SIM_ENGINE", text, "plan, interpreter or tokens");
}

void Parser::info(Options &options) {
  const char *text = get("LOOM_INFO");
  if (!text)
    return;
  static const struct {
    const char *name;
    unsigned bits;
  } words[] = {{"summary", InfoSummary},
               {"launch", InfoLaunch},
               {"fallback", InfoFallback},
               {"all", InfoSummary | InfoLaunch | InfoFallback},
               {"none", 0}};
  unsigned bits = 0;
  for (const char *at = text; *at;) {
    size_t length = strcspn(at, ",");
    bool found = length == 0;
    for (const auto &word : words)
      if (strlen(word.name) == length && memcmp(word.name, at, length) == 0) {
        bits |= word.bits;
        found = true;
      }
    if (!found) {
      malformed("LOOM_INFO", text, "summary, launch, fallback, all");
      return;
    }
    at += length;
    if (*at)
      ++at;
  }
  options.info = bits;
}

/// A path that stays the same when the program changes its directory.
static char *absolutePath(const char *path) {
  Text text;
  if (path[0] != '/') {
    char here[4096];
    if (getcwd(here, sizeof(here)))
      text.str(here).str("/");
  }
  text.str(path);
  char *copy = copyString(text.bytes.data, text.bytes.size);
  text.release();
  return copy;
}

void parseOptions(Options &options, Lookup lookup, void (*note)(const char *)) {
  Parser parser = {lookup, note};
  parser.device(options);
  parser.order(options);
  parser.engine(options);
  parser.info(options);
  if (options.models())
    options.budget = defaultSampling;
  parser.count("LOOM_SIM_BUDGET", options.budget);
  parser.count("LOOM_CAPTURE_LAUNCHES", options.captureLaunches);
  if (const char *text = parser.get("LOOM_VERIFY")) {
    if (strcmp(text, "1") == 0)
      options.verify = true;
    else if (strcmp(text, "0") != 0)
      parser.malformed("LOOM_VERIFY", text, "0 or 1");
  }
  if (const char *text = parser.get("LOOM_SIM_TIMING")) {
    if (strcmp(text, "off") == 0)
      options.timing = false;
    else if (strcmp(text, "on") != 0)
      parser.malformed("LOOM_SIM_TIMING", text, "on or off");
  }
  if (const char *text = parser.get("LOOM_STATS"))
    options.stats = absolutePath(text);
  if (const char *text = parser.get("LOOM_CAPTURE"))
    options.capture = absolutePath(text);
}

static Options theOptions;
static pthread_once_t optionsOnce = PTHREAD_ONCE_INIT;

/// The environment of a program with raised privileges is not trusted.
static const char *environment(const char *name) { return secure_getenv(name); }

static void readOptions() {
  parseOptions(theOptions, environment, say);
  simOrder.random = theOptions.randomOrder;
  simOrder.seed = theOptions.orderSeed;
  simEngine = theOptions.engine;
  simTiming = theOptions.timing;
  for (char **entry = environ; entry && *entry; ++entry) {
    const char *equals = strchr(*entry, '=');
    if (strncmp(*entry, "LOOM_", 5) != 0 || !equals)
      continue;
    auto length = static_cast<unsigned>(equals - *entry);
    if (isKnownVariable(*entry, length))
      continue;
    Text text;
    text.str("unknown variable ").str(*entry, length).str(" is ignored");
    sayLine(text);
  }
}

const Options &options() {
  pthread_once(&optionsOnce, readOptions);
  return theOptions;
}

} // namespace loom::rt
