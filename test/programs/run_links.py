#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the plugin behaves in links of every kind: links that must not change by
a byte, probes of build systems, libraries, other LTO modes, and programs with
threads, forks and early launches."""

import json
import os
import re
import shlex
import subprocess

from loomtest import (CLEAN_ENV, KERNELS, ROOT, Suite, check, fallbacks, launches, mismatches, must,
                      read_stats, run, same_output)

suite = Suite("links")
SRC = os.path.join(ROOT, "test", "programs", "src")
CC, CXX, LOOM = suite.tool("loom-cc"), suite.tool("loom-c++"), suite.tool("loom")


def src(name):
    return os.path.join(SRC, name)


def objects(tag, *sources):
    """Compiles each source for an LTO link; gives the objects."""
    out = []
    for s in sources:
        out.append(suite.path("%s.%s.o" % (tag, os.path.basename(s))))
        must([CXX if s.endswith(".cpp") else CC, "-O2", "-c", s, "-o", out[-1]])
    return out


def link_command(objs, out):
    """The linker command that the wrapper runs, word by word."""
    r = must([CC, "-###", "-O2"] + objs + ["-o", out])
    lines = [l for l in r.err.decode().splitlines() if "ld.lld" in l or "ld64.lld" in l]
    check(len(lines) == 1, "no single linker command in -###:\n" + r.err.decode()[-1500:])
    return shlex.split(lines[0])


def without_plugin(command):
    """The same command with nothing of the plugin in it."""
    out, skip = [], False
    for i, word in enumerate(command):
        if skip:
            skip = False
        elif word == "-mllvm" and i + 1 < len(command) and "LoomPlugin" in command[i + 1]:
            skip = True
        elif "LoomPlugin" not in word:
            out.append(word)
    check(out != command, "the wrapper's link does not load the plugin: %s" % command)
    return out


def identical(tag, sources, env):
    objs = objects(tag, *sources)
    a, b = suite.path(tag + ".a.out"), suite.path(tag + ".b.out")
    with_plugin = link_command(objs, a)
    r = must(with_plugin, env=env)
    check(r.err == b"", "the link prints: %r" % r.err[:300])
    plain = without_plugin(with_plugin)
    plain[plain.index(a)] = b
    must(plain)
    with open(a, "rb") as fa, open(b, "rb") as fb:
        check(fa.read() == fb.read(), "the executables differ: %s %s" % (a, b))


def offload_off():
    """LOOM_OFFLOAD=off; and the test can fail: without it the files differ."""
    sources = [os.path.join(KERNELS, "lu.c")]
    identical("off", sources, {"LOOM_OFFLOAD": "off"})
    changed = suite.path("off.on.out")
    must(link_command(objects("off.on", *sources), changed))
    with open(changed, "rb") as fa, open(suite.path("off.a.out"), "rb") as fb:
        check(fa.read() != fb.read(), "LOOM_OFFLOAD=off changes nothing: is the plugin loaded?")


def deterministic():
    """The same link twice gives the same bytes."""
    objs = objects("twice", os.path.join(KERNELS, "dfa.c"))
    files = [suite.path("twice.%d.out" % i) for i in (1, 2)]
    for f in files:
        must([CC] + objs + ["-o", f])
    with open(files[0], "rb") as a, open(files[1], "rb") as b:
        check(a.read() == b.read(), "two links of the same objects differ")


def on_devices(tag, plain, program, function=None, env=None):
    """Compares a program on every device with the plain build; gives the rows
    of the simulator's run."""
    env = env or {}
    want = must(plain if isinstance(plain, list) else [plain], env=env)
    same_output(tag + " host", want, run([program], env=dict(env, LOOM_DEVICE="host")))
    stats = program + "." + tag + ".stats"
    same_output(tag + " sim", want, run([program], env=dict(env, LOOM_DEVICE="sim", LOOM_STATS=stats)))
    rows = read_stats(stats)
    check(not fallbacks(rows), "%s: fallbacks %s" % (tag, fallbacks(rows)))
    verify = stats + ".verify"
    same_output(tag + " verify", want, run([program], env=dict(env, LOOM_VERIFY="1", LOOM_STATS=verify)))
    check(mismatches(read_stats(verify)) == 0, tag + ": mismatches")
    check(launches(rows, function) > 0, "%s: %s not launched; rows: %s" % (tag, function, rows))
    return rows


def plain(tag, *args):
    out = suite.path(tag + ".plain")
    must(["clang-22" if not any(a.endswith(".cpp") for a in args) else "clang++-22", "-O2"] +
         list(args) + ["-o", out])
    return out


def loom(tag, *args):
    out = suite.path(tag + ".loom")
    r = must([CXX if any(a.endswith(".cpp") for a in args) else CC, "-O2"] + list(args) + ["-o", out])
    check(r.err == b"", "the build prints: %r" % r.err[:300])
    return out


def cpu_seconds(argv):
    """Processor time of a command and its children; wall time would measure
    what else the machine does."""
    p = subprocess.Popen(argv, env=CLEAN_ENV, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    check(p.returncode == 0, "exit code %d of %s" % (p.returncode, argv))
    return usage.ru_utime + usage.ru_stime


def probe():
    """What configure does: silent, quick, also with -Werror."""
    out = suite.path("probe.out")
    r = must([CC, "-Werror", src("empty.c"), "-o", out])
    check(r.out == b"" and r.err == b"", "a probe prints: %r" % (r.out + r.err)[:300])
    loom_time = min(cpu_seconds([CC, src("empty.c"), "-o", out]) for _ in range(5))
    base = min(cpu_seconds(["clang-22", "-flto", "-fuse-ld=lld", src("empty.c"), "-o", out])
               for _ in range(5))
    check(loom_time < base + 0.2, "a probe takes %.2f s of processor time, plain clang %.2f s" % (
        loom_time, base))


def compile_only():
    """Options that don't link must not warn about linker input."""
    for args in (["-c", src("tiny.c"), "-o", suite.path("co.o")],
                 ["-S", src("tiny.c"), "-o", suite.path("co.s")],
                 ["-E", src("tiny.c"), "-o", suite.path("co.i")],
                 ["-fsyntax-only", src("tiny.c")], ["--version"], ["-dumpmachine"],
                 ["-print-prog-name=ld"], ["-M", src("tiny.c")]):
        r = must([CC, "-Werror", "-O2"] + args)
        check(b"warning" not in r.err, "%s: %r" % (args, r.err[:300]))
    r = must([CC, "-v"])
    check(b"clang version 22" in r.err + r.out, "-v does not say clang 22")
    assembly = suite.path("noop.s")
    with open(assembly, "w") as f:
        f.write('.globl from_assembly\nfrom_assembly:\n mov $7,%eax\n ret\n'
                '.section .note.GNU-stack,"",@progbits\n')
    user = suite.path("useasm.c")
    with open(user, "w") as f:
        f.write("int from_assembly(void);\nint main(void) { return from_assembly() - 7; }\n")
    must([CC, "-Werror", assembly, user, "-o", suite.path("useasm")])
    must([suite.path("useasm")])


def kernel_program(tag, *flags):
    p = plain(tag, os.path.join(KERNELS, "lcs.c"))
    on_devices(tag, p, loom(tag, os.path.join(KERNELS, "lcs.c"), *flags), "lcs")


def shared_library():
    lib = suite.path("libsum.so")
    r = must([CC, "-O2", "-fPIC", "-shared", src("libsum.c"), "-o", lib])
    check(r.err == b"", "the -shared link prints: %r" % r.err[:300])
    must([CC, "-O2", src("usesum.c"), lib, "-Wl,-rpath," + suite.work, "-o", suite.path("usesum.so.exe")])
    rows = on_devices("shared", plain("shared", src("libsum.c"), src("usesum.c")),
                      suite.path("usesum.so.exe"), "weighted_sum")
    check(rows, "no statistics from the library")
    # A program that is no Loom program can use the library too.
    must(["clang-22", "-O2", src("usesum.c"), lib, "-Wl,-rpath," + suite.work,
          "-o", suite.path("usesum.foreign")])
    same_output("foreign program", must([suite.path("shared.plain")]), run([suite.path("usesum.foreign")]))


def static_library(ar):
    lib = suite.path("libsum.%s.a" % os.path.basename(ar))
    must([ar, "rcs", lib] + objects("ar." + os.path.basename(ar), src("libsum.c")))
    exe = loom("static." + os.path.basename(ar), src("usesum.c"), lib)
    # The nest may be inlined into main, so any launch counts.
    on_devices("archive", plain("archive." + os.path.basename(ar), src("libsum.c"), src("usesum.c")), exe)


def no_lto():
    """-fno-lto: ordinary code, no plugin, and no harm."""
    p = plain("nolto", os.path.join(KERNELS, "lcs.c"))
    exe = loom("nolto", os.path.join(KERNELS, "lcs.c"), "-fno-lto")
    stats = exe + ".stats"
    same_output("-fno-lto", must([p]), run([exe], env={"LOOM_STATS": stats}))
    check(not read_stats(stats), "-fno-lto launched something")
    mixed = suite.path("mixed.o")
    must([CC, "-O2", "-fno-lto", "-c", src("usesum.c"), "-o", mixed])
    on_devices("mixed", plain("mixed", src("libsum.c"), src("usesum.c")),
               loom("mixed", mixed, src("libsum.c")), "weighted_sum")


def thin_lto():
    """-flto=thin works, and says in one line that nothing is offloaded."""
    out = suite.path("thin.out")
    r = must([CC, "-O2", "-flto=thin", os.path.join(KERNELS, "lcs.c"), src("libsum.c"), "-o", out])
    lines = [l for l in r.err.decode().splitlines() if l.strip()]
    check(len(lines) == 1 and "ThinLTO" in lines[0], "standard error of a ThinLTO link: %r" % r.err)
    same_output("thin", must([plain("thin", os.path.join(KERNELS, "lcs.c"))]), run([out]))


def pass_plugin():
    """clang -fpass-plugin, without LTO: the runtime is named by hand."""
    out, p = suite.path("passplugin.out"), plain("passplugin", os.path.join(KERNELS, "lcs.c"))
    lib = os.path.join(suite.build, "lib")
    must(["clang-22", "-O2", "-fpass-plugin=" + suite.plugin, os.path.join(KERNELS, "lcs.c"),
          "-L" + lib, "-lloom_rt", "-Wl,-rpath," + lib, "-o", out])
    on_devices("pass-plugin", p, out, "lcs")


def other_linker():
    """A link by GNU ld: no plugin, but it must work."""
    out = suite.path("bfd.out")
    must([CC, "-O2", "-fno-lto", "-fuse-ld=bfd", os.path.join(KERNELS, "lcs.c"), "-o", out])
    same_output("bfd", must([plain("bfd", os.path.join(KERNELS, "lcs.c"))]), run([out]))


def relocatable():
    """-r: a partial link, then the real one."""
    part = suite.path("part.o")
    must([CC, "-O2", "-r"] + objects("part", src("libsum.c"), src("usesum.c")) + ["-o", part])
    exe = loom("part", part)
    same_output("-r", must([plain("part", src("libsum.c"), src("usesum.c"))]), run([exe]))


def taken(name, functions):
    """A program whose functions must each have exactly one nest, an offloaded one."""
    exe = loom(name, src(name + ".c"))
    on_devices(name, plain(name, src(name + ".c")), exe, functions[0])
    rows = json.loads(must([suite.tool("loom"), "report", exe, "--json"]).out)["candidates"]
    for function in functions:
        got = [r["code"] for r in rows if r["function"] == function]
        check(got == ["offloaded"], "%s: %s" % (function, got))


def stripped():
    exe = loom("strip", os.path.join(KERNELS, "lcs.c"))
    must(["strip", exe])
    on_devices("strip", plain("strip", os.path.join(KERNELS, "lcs.c")), exe, "lcs")


def budget():
    """A small budget of firings: the rest runs on the host, counted."""
    exe = loom("budget", src("forks.c"))
    stats = exe + ".stats"
    same_output("budget", must([plain("budget", src("forks.c"))]),
                run([exe], env={"LOOM_DEVICE": "sim", "LOOM_SIM_BUDGET": "5000", "LOOM_STATS": stats}))
    rows = read_stats(stats)
    check(fallbacks(rows), "a budget of 5000 firings was never spent: %s" % rows)


def errno():
    """sqrt, fmod and fdim set errno as the library does: such launches are declined."""
    want = must([plain("errno", src("errno.c"), "-lm")])
    exe = loom("errno", src("errno.c"), "-lm")
    for env in ({"LOOM_DEVICE": "host"}, {"LOOM_DEVICE": "sim"}, {"LOOM_VERIFY": "1"}):
        stats = exe + ".stats"
        if os.path.exists(stats):
            os.unlink(stats)
        same_output("errno", want, run([exe], env=dict(env, LOOM_STATS=stats)))
        got = fallbacks(read_stats(stats))
        check(got == ({} if env.get("LOOM_DEVICE") == "host" else {"errno": 4}),
              "declined launches: %s" % got)


def info():
    exe = loom("info", os.path.join(KERNELS, "lcs.c"))
    want = must([plain("info", os.path.join(KERNELS, "lcs.c"))])
    got = run([exe], env={"LOOM_INFO": "summary"})
    same_output("LOOM_INFO", want, got)
    check(b"lcs" in got.err, "LOOM_INFO=summary does not name the region: %r" % got.err[:300])
    got = run([exe])
    check(got.err == b"", "the default is not silent: %r" % got.err[:300])


def bad_settings():
    """Nonsense in the environment must not change what a program does."""
    exe = loom("nonsense", os.path.join(KERNELS, "lcs.c"))
    want = must([plain("nonsense", os.path.join(KERNELS, "lcs.c"))])
    for env in ({"LOOM_DEVICE": "toaster"}, {"LOOM_SIM_BUDGET": "many"}, {"LOOM_VERIFY": "maybe"},
                {"LOOM_STATS": "/nowhere/at/all"}, {"LOOM_SIM_ORDER": "up"}, {"LOOM_INFO": "novel"}):
        same_output(str(env), want, run([exe], env=env))


def early():
    exe = loom("early", src("early.cpp"))
    on_devices("early", plain("early", src("early.cpp")), exe, "run")


def threads():
    on_devices("threads", plain("threads", src("threads.c"), "-pthread"),
               loom("threads", src("threads.c"), "-pthread"), "fold")


def forks():
    rows = on_devices("forks", plain("forks", src("forks.c")), loom("forks", src("forks.c")), "step")
    # The parent launches twice, each child once.
    check(launches(rows, "step") == 5, "launches of five: %d" % launches(rows, "step"))


def report():
    """The report names what stayed on the host: code, function, file, line."""
    exe = loom("report", "-g", os.path.join(KERNELS, "strsearch.c"))
    text = must([LOOM, "report", exe]).out.decode()
    check(re.search(r"strsearch\.c:\d+", text), "no file and line in the report:\n" + text)
    check("strsearch" in text, "no function in the report:\n" + text)


suite.add("identical-no-loops", identical, "noloop", [src("noloop.c")], {})
suite.add("identical-offload-off", offload_off)
suite.add("deterministic", deterministic)
suite.add("probe", probe)
suite.add("compile-only", compile_only)
for name, flags in (("pie", ["-fPIE", "-pie"]), ("no-pie", ["-fno-pie", "-no-pie"]),
                    ("static", ["-static"]), ("gc-sections", ["-ffunction-sections", "-Wl,--gc-sections"]),
                    ("icf", ["-Wl,--icf=all"]), ("native-debug", ["-g", "-gz"]),
                    ("as-needed", ["-Wl,--as-needed"]), ("no-undefined", ["-Wl,--no-undefined"]),
                    ("fat-lto", ["-ffat-lto-objects"])):
    suite.add(name, kernel_program, name, *flags)
suite.add("shared-library", shared_library)
suite.add("static-library-llvm-ar", static_library, "llvm-ar-22")
suite.add("static-library-gnu-ar", static_library, "ar")
suite.add("no-lto", no_lto)
suite.add("thin-lto", thin_lto)
suite.add("pass-plugin", pass_plugin)
suite.add("other-linker", other_linker)
suite.add("relocatable", relocatable)
suite.add("strings", taken, "strings", ["lengths", "bounded", "finds", "lasts", "bytes", "orders",
                                        "equals", "compares", "same", "copies", "ends"])
suite.add("wide-integers", taken, "wide", ["fold", "sums", "shifts", "orders", "signs",
                                          "turns", "bytes", "memory"])
suite.add("stripped", stripped)
suite.add("budget", budget)
suite.add("errno", errno)
suite.add("info", info)
suite.add("bad-settings", bad_settings)
suite.add("early", early)
suite.add("threads", threads)
suite.add("forks", forks)
suite.add("report", report)
suite.finish()
