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
]
