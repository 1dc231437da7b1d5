# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages for a wider look, not part of the CI: `test/programs/run more`. Their
suites run as those of packages.py do, with every launch verified, up to the
budget that a package has."""

from packages import Package

MORE = [
    Package(
        "expat",
        build="""
            cd expat && ./buildconf.sh && ./configure --disable-shared --without-docbook CFLAGS=-O2 && make && make check TESTS=""",
        test="cd expat && make check",
        binaries=["expat/xmlwf/xmlwf", "expat/tests/runtests"],
        must_launch=True,
        needs=["autoconf", "automake", "libtool"]),
    Package(
        "giflib",
        build='make libgif.so libgif.a libutil.so libutil.a CC="$CC" AR="$AR" && make -j1 -o doc gif2rgb gifbuild giffix giftext giftool gifclrmp gifbg gifcolor gifecho giffilter gifhisto gifinto gifsponge gifwedge CC="$CC" AR="$AR"',
        test='make -C tests',
        binaries=["gif2rgb", "giftool", "gifclrmp", "libgif.so.7.2.0"],
        must_launch=True),
    Package(
        "gsl",
        # The whole library takes half an hour: what these tests link.
        build="""
            ./configure --disable-shared CFLAGS=-O2
            for d in gsl err sys utils test ieee-utils block vector cblas blas permutation sort fft poly; do
              make -C $d || exit 1; done
            for d in cblas permutation sort fft poly; do make -C $d check TESTS= || exit 1; done""",
        test="for d in cblas permutation sort fft poly; do make -C $d check || exit 1; done",
        binaries=["cblas/test", "permutation/test", "sort/test", "fft/test", "poly/test"],
        must_launch=True),
    Package(
        "jansson",
        build="autoreconf -fi && ./configure --disable-shared CFLAGS=-O2 && make && make check TESTS=",
        test="make check",
        binaries=["test/bin/json_process"],
        must_launch=False,
        needs=["autoconf", "automake", "libtool"]),
    Package(
        "libpng1.6",
        build="./configure --disable-shared CFLAGS=-O2 && make && make check TESTS=",
        test="make check",
        binaries=["pngvalid", "pngstest", "pngtest", "pngimage", "pngunknown"],
        must_launch=True,
        budget="100M"),
    Package(
        "libsamplerate",
        build="autoreconf -fi && ./configure --disable-shared --disable-alsa --disable-sndfile CFLAGS=-O2 && make && make check TESTS=",
        test="make check",
        binaries=["tests/*_test"],
        must_launch=True,
        needs=["autoconf", "automake", "libtool"]),
    Package(
        "libvorbis",
        build="./configure --disable-shared CFLAGS=-O2 && make && make -C test test",
        test="make check",
        binaries=["test/test"],
        must_launch=True,
        needs=["libogg-dev", "pkg-config"]),
    Package(
        "libzstd",
        build="""
            make -C programs zstd CC="$CC" CFLAGS=-O2 &&
            make -C tests datagen fuzzer legacy invalidDictionaries CC="$CC" CFLAGS=-O2""",
        test="""
            cd tests && ./invalidDictionaries && ./legacy && ./fuzzer -s20 -t1 -i20 &&
            for n in 1 5 9 16 19; do ./datagen -g200K | ../programs/zstd -$n | ../programs/zstd -t || exit 1; done""",
        binaries=["programs/zstd", "tests/fuzzer"],
        must_launch=True,
        budget="200M"),
    Package(
        "opus",
        build="./configure --disable-shared --disable-doc CFLAGS=-O2 && make",
        # 800M launches.
        test="make check",
        binaries=["celt/tests/test_unit_entropy", "celt/tests/test_unit_mdct", "tests/test_opus_decode", "tests/test_opus_encode"],
        must_launch=True,
        budget="1G"),
    Package(
        "pcre2",
        build="./configure --disable-shared CFLAGS=-O2 && make && make check TESTS=",
        test="make check",
        binaries=["pcre2test", "pcre2grep"],
        must_launch=True,
        budget="100M"),
    Package(
        "tinyxml2",
        build='make CXX="$CXX" AR="$AR" RANLIB="$RANLIB" CXXFLAGS=-O2',
        test="make test",
        binaries=["xmltest"],
        must_launch=True),
]
