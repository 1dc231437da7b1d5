# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How six Debian source packages are built and tested, each by its own build
system. Nothing in the sources is changed; compilers come through CC and CXX."""

import os

HERE = os.path.dirname(os.path.abspath(__file__))


class Package:
    """`build` and `test` are shell scripts that run in the source directory
    with CC, CXX, AR, RANLIB, NM and HERE set; `binaries` (patterns) are what the
    build leaves that loom report can read; `must_launch`: the tests have to run a
    region on the simulator; `needs`: Debian packages that the build needs and that
    test/setup.sh does not install; `budget`: firings a process where every launch is
    verified, for suites that would take hours without one."""

    def __init__(self, name, build, test, binaries, must_launch, needs=(), budget="unlimited"):
        self.name, self.build, self.test, self.budget = name, build, test, budget
        self.binaries, self.must_launch, self.needs = binaries, must_launch, needs


PACKAGES = [
    Package(
        "zlib",
        build='CFLAGS=-O2 ./configure && make',
        test='make test && for n in 1 6 9; do ./minigzip64 -$n <ChangeLog | ./minigzip64 -d | cmp - ChangeLog || exit 1; done',
        binaries=["minigzip", "example", "libz.so.1.2.13"],
        must_launch=True),
    Package(
        "bzip2",
        build='make CC="$CC" AR="$AR" RANLIB="$RANLIB" libbz2.a bzip2 bzip2recover',
        test='make CC="$CC" AR="$AR" RANLIB="$RANLIB" test',
        binaries=["bzip2", "bzip2recover", "libbz2.so.1.0.4"],
        must_launch=True),
    Package(
        "lua5.4",
        # debian/rules, step by step.
        build='''
            multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
            mkdir debian/libtool && cp debian/configure.ac debian/libtool/ &&
            (cd debian/libtool && LIBTOOLIZE="libtoolize -i" autoreconf -f -i && ./configure) &&
            { echo "#ifndef _LUA_DEB_MULTIARCH_"
              echo "#define _LUA_DEB_MULTIARCH_"
              echo "#define DEB_HOST_MULTIARCH \\"$multiarch\\""
              echo "#endif"; } >src/lua5.4-deb-multiarch.h &&
            make linux-readline LIBTOOL="$PWD/debian/libtool/libtool" CC="$CC -std=gnu99" CXX="$CXX"''',
        # The package has no test suite but "make test"; the rest is ours.
        test='''
            make test && cd src && ./lua5.4 "$HERE/selfcheck.lua" >selfcheck.out &&
            ./luac5.4 -o selfcheck.luac "$HERE/selfcheck.lua" &&
            ./luac5.4 -l -l selfcheck.luac >/dev/null &&
            ./lua5.4 selfcheck.luac | cmp - selfcheck.out && cat selfcheck.out''',
        binaries=["src/lua5.4", "src/luac5.4"],
        must_launch=False),
    Package(
        "xxhash",
        build='make CC="$CC" CXX="$CXX" AR="$AR" CFLAGS=-O2',
        test='make test CC="$CC" CXX="$CXX" AR="$AR" NM="$NM" CFLAGS=-O2',
        binaries=["xxhsum", "libxxhash.so.0.8.1"],
        must_launch=False),
    Package(
        "lz4",
        build='''
            make -C lib CC="$CC" AR="$AR" CFLAGS=-O2 && make -C programs CC="$CC" CFLAGS=-O2 lz4 &&
            make -C tests CC="$CC" CFLAGS=-O2 datagen fuzzer frametest decompress-partial decompress-partial-usingDict''',
        # Of its own tests those that end in seconds; the two random ones with a
        # fixed seed and a count instead of 90 s each. On the simulator the many
        # processes get a small budget each, else its suite takes minutes.
        test='''
            export LOOM_SIM_BUDGET=${LOOM_SIM_BUDGET:-8M}
            touch programs/lz4 && make -o lz4 -o datagen -C tests CC="$CC" CFLAGS=-O2 test-lz4-multiple test-lz4-skippable \
              test-lz4-frame-concatenation test-decompress-partial &&
            cd tests && ./fuzzer -s20 -i30 && ./frametest -s20 -i30''',
        binaries=["programs/lz4", "tests/fuzzer", "tests/frametest", "lib/liblz4.so.1.9.4"],
        must_launch=True),
    Package(
        "sqlite3",
        # The amalgamation, as in most programs that use it. --disable-tcl: the
        # library only; the generators need tclsh.
        build='''
            ./configure --disable-tcl --disable-shared --disable-readline CFLAGS=-O2 && make sqlite3''',
        # Its own suite needs the Tcl library and hours: an SQL script of ours, with
        # the output of plain clang's build.
        test='''
            rm -f selfcheck.db && ./sqlite3 -batch selfcheck.db <"$HERE/selfcheck.sql" >selfcheck.out 2>&1
            diff "$HERE/selfcheck.sql.out" selfcheck.out''',
        binaries=["sqlite3"],
        must_launch=True),
]
