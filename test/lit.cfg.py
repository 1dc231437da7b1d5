# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lit suites: one directory a room, in the order of the flow. Run by
#   LOOM_BUILD=build python3 /usr/lib/llvm-22/bin/lit test
# The tools of the build tree and of LLVM 22 are on the path of every test.

import os

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.abspath(os.environ.get("LOOM_BUILD", os.path.join(root, "build")))
llvm = "/usr/lib/llvm-22"

config.name = "Loom"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ll", ".c", ".cpp", ".test"]
config.excludes = ["bench", "fuzz", "tools", "programs", "unit", "spatial-shim", "spatial-apps", "Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(root, "test")
config.test_exec_root = os.path.join(build, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), os.path.join(llvm, "bin"), os.environ["PATH"]])
# A user's own settings must not change a verdict.
for name in list(config.environment):
    if name.startswith("LOOM_"):
        del config.environment[name]
config.environment["LC_ALL"] = "C"
# Tests are about every launch; the default simulates some.
config.environment["LOOM_DEVICE"] = "sim"

config.substitutions += [
    ("%loom_build", build),
    ("%loom_plugin", os.path.join(build, "lib", "LoomPlugin-22.so")),
    ("%loom_lib", os.path.join(build, "lib")),
    ("%loom_src", root),
    # The plugin as an opt pass: %opt_loom -passes=loom ...
    ("%opt_loom", "%s/bin/opt -load-pass-plugin=%s/lib/LoomPlugin-22.so" % (llvm, build)),
]
