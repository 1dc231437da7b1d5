#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Everything: packages, build, every suite. The last line has the counts.
#
#   test/run.sh                     all stages
#   test/run.sh --only=lit,unit     these stages (and the build, unless --no-build)
#   test/run.sh --skip=debian       all but these
#
# Stages: unit lit fuzz kernels links projects mutations spatial debian.
# LOOM_BUILD names the build tree (build/), LOOM_JOBS the number of jobs.
set -uo pipefail
source "$(dirname "$0")/setup.sh"

stages=(unit lit fuzz kernels links projects mutations spatial debian)
only= skip= build=1
for arg in "$@"; do
  case $arg in
  --only=*) only=${arg#*=} ;;
  --skip=*) skip=${arg#*=} ;;
  --no-build) build=0 ;;
  *)
    sed -n '3,11s/^# \{0,1\}//p' "$0"
    [ "$arg" = --help ] && exit 0
    exit 2
    ;;
  esac
done
for name in ${only//,/ } ${skip//,/ }; do
  [[ " ${stages[*]} " = *" $name "* ]] || loom_die "there is no stage '$name'"
done

wanted() {
  [ -z "$only" ] || [[ ",$only," = *",$1,"* ]] || return 1
  [[ ",$skip," != *",$1,"* ]]
}

passed=0 failed=0 skipped=0 start=$(loom_seconds)
rows=()

# stage NAME COUNTER COMMAND...: runs a suite with its output in a log. COUNTER
# reads the log and prints "passed failed skipped".
stage() {
  local name=$1 counter=$2 log=$LOOM_LOGS/$1.log t0 code p f s
  shift 2
  wanted "$name" || return 0
  mkdir -p "$LOOM_LOGS"
  t0=$(loom_seconds)
  printf -- '--- %s\n' "$name"
  "$@" >"$log" 2>&1 </dev/null
  code=$?
  read -r p f s < <("$counter" "$log")
  # A suite that ran nothing, or that failed without counting a failure, failed.
  if [ "$((p + f))" = 0 ] || { [ "$code" != 0 ] && [ "$f" = 0 ]; }; then
    f=$((f + 1))
  fi
  if [ "$f" != 0 ]; then
    printf 'exit code %d; the end of %s:\n' "$code" "$log"
    tail -n 60 "$log"
  else
    # Reports and the reason of every skipped test.
    grep -E '^(SKIP |UNSUPPORTED: |fuzz: |[a-z0-9.]+: nests seen|  (tests (on|with) |[^ ]+: [0-9]+ of))' "$log"
  fi
  rows+=("$(printf '%-10s %4d passed, %d failed, %d skipped  %5ss' \
    "$name" "$p" "$f" "$s" $(($(loom_seconds) - t0)))")
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# Our own suites close with "N passed, N failed[, N skipped]", one or more times.
count_plain() {
  awk '/^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; s += $5 }
       END { print p + 0, f + 0, s + 0 }' "$1"
}

# GoogleTest's own counts, one set for each program that ctest ran with -V.
count_unit() {
  awk '/\[  PASSED  \] [0-9]+ test/ { for (i = 1; i < NF; i++) if ($i == "]") { p += $(i + 1); break } }
       /\[  FAILED  \] [0-9]+ test/ { for (i = 1; i < NF; i++) if ($i == "]") { f += $(i + 1); break } }
       /\[  SKIPPED \] [0-9]+ test/ { for (i = 1; i < NF; i++) if ($i == "]") { s += $(i + 1); break } }
       /\*\*\*(Failed|Exception|Timeout|Not Run)/ { bad++ }
       END { if (bad > f) f = bad; print p + 0, f + 0, s + 0 }' "$1"
}

count_lit() {
  awk -F: '/^ *Passed *:/ { p += $2 }
           /^ *(Failed|Unresolved|Timed Out|Unexpectedly Passed) *:/ { f += $2 }
           /^ *(Unsupported|Skipped) *:/ { s += $2 }
           END { print p + 0, f + 0, s + 0 }' "$1"
}

# The test programs are not part of the default build.
run_unit() {
  local programs
  programs=$(ctest --test-dir "$LOOM_BUILD" --show-only=json-v1 | python3 -c '
import json, os, sys
print(*sorted({os.path.basename(t["command"][0]) if "command" in t
               else t["name"].replace("_NOT_BUILT", "")
               for t in json.load(sys.stdin)["tests"]}))')
  [ -n "$programs" ] && ninja -C "$LOOM_BUILD" -j "$LOOM_JOBS" $programs &&
    ctest --test-dir "$LOOM_BUILD" -V -j "$LOOM_JOBS"
}

run_lit() {
  LOOM_BUILD=$LOOM_BUILD python3 /usr/lib/llvm-22/bin/lit -j "$LOOM_JOBS" \
    --show-unsupported "$LOOM_SRC/test"
}

# A fixed slice, csmith, and the control: a planted defect must be noticed.
run_fuzz() {
  local fuzz=$LOOM_SRC/test/fuzz/run failed=0
  export LOOM_BUILD LOOM_JOBS
  "$fuzz" --seeds 1-12 || failed=1
  "$fuzz" --csmith --seeds 1-8 || failed=1
  "$fuzz" --seeds 1-1 --defect lower-bound || failed=1
  return $failed
}

run_programs() { LOOM_BUILD=$LOOM_BUILD "$LOOM_SRC/test/programs/run" "$1"; }

loom_install "${LOOM_PACKAGES[@]}" "${LOOM_TEST_PACKAGES[@]}"
[ "$build" = 0 ] || loom_build

stage unit count_unit run_unit
stage lit count_lit run_lit
stage fuzz count_plain run_fuzz
for suite in kernels links projects mutations; do
  stage "$suite" count_plain run_programs "$suite"
done
stage spatial count_plain run_programs spatial
stage debian count_plain run_programs debian

printf '\n'
printf '%s\n' "${rows[@]}"
printf 'total time %ss on %s cores\n' $(($(loom_seconds) - start)) "$(nproc)"
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
