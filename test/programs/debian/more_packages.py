# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages for a wider look, not part of the CI: `test/programs/run more`. Their
suites run as those of packages.py do, with every launch verified and no budget."""

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
        "opus",
        build="./configure --disable-shared --disable-doc CFLAGS=-O2 && make",
        # 800M launches: verified are those of some gigafirings.
        test="""
            if [ "$LOOM_SIM_BUDGET" = unlimited ]; then export LOOM_SIM_BUDGET=1G; fi
            make check""",
        binaries=["celt/tests/test_unit_entropy", "celt/tests/test_unit_mdct", "tests/test_opus_decode", "tests/test_opus_encode"],
        must_launch=True),
]
