#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Ratios, measured in one run on this machine: link time with and without the
# plugin, the simulator's speed, and programs that stay on the host against
# plain clang. Repetitions are interleaved; the figures are medians.
#
#   test/bench/run.sh [--no-build]
#
# LOOM_BENCH=simulator: only the simulator over the example kernels; =model and
# =long: only the model's errors, only the programs of two seconds.
set -euo pipefail
source "$(dirname "$0")/../setup.sh"
loom_install "${LOOM_PACKAGES[@]}" "${LOOM_TEST_PACKAGES[@]}"
[ "${1:-}" = --no-build ] || loom_build
PYTHONDONTWRITEBYTECODE=1 exec python3 "$LOOM_SRC/test/bench/bench.py" --build "$LOOM_BUILD"
