#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles Spatial apps against test/spatial-shim and runs them on captured
# launches. See run-apps.py for the layout of a directory.
exec python3 "$(dirname "$0")/run-apps.py" "$@"
