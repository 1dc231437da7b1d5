#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The first command: from a bare Debian 12 to two example projects whose loops
# run on the simulated device. Installs Debian packages by name and builds into
# build/; nothing else is changed.
set -euo pipefail
source "$(dirname "$0")/../test/setup.sh"
start=$(loom_seconds)

loom_install "${LOOM_PACKAGES[@]}"
loom_build

bin=$LOOM_BUILD/bin
out=$LOOM_BUILD/examples
rm -rf "$out"
mkdir -p "$out"
cp -r "$LOOM_SRC/examples/make-project" "$out/make-project"

loom_step "make project, CC=loom-cc" example-make \
  make -C "$out/make-project" CC="$bin/loom-cc" AR=llvm-ar-22
loom_step "cmake project, toolchain file" example-cmake bash -c '
  cmake -G Ninja -S "$1/examples/cmake-project" -B "$2/cmake-project" \
    -DCMAKE_TOOLCHAIN_FILE="$3/share/loom/loom-toolchain.cmake" &&
  ninja -C "$2/cmake-project"' - "$LOOM_SRC" "$out" "$LOOM_BUILD"

# launches STATS: loop nests that ran on the simulator, and their firings.
launches() {
  python3 - "$1" <<'P'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
sim = [r for r in rows if r["device"] == "sim" and r["launches"]]
print("%d regions, %d launches, %d firings" % (
    len({r["region"] for r in sim}), sum(r["launches"] for r in sim),
    sum(r["firings"] for r in sim)))
P
}

for project in make-project/pipeline cmake-project/signals; do
  name=$(basename "$project")
  stats=$out/$name.stats
  LOOM_DEVICE=sim LOOM_STATS=$stats "$out/$project" >"$out/$name.out" ||
    loom_die "$project ended with exit code $?"
  [ -s "$stats" ] || loom_die "$project launched nothing on the device"
  printf '\n$ LOOM_DEVICE=sim %s\n' "$out/$project"
  cat "$out/$name.out"
  printf '\non the simulated device: %s\n' "$(launches "$stats")"
done
cmp "$out/pipeline.out" "$LOOM_SRC/examples/make-project/expected.txt" ||
  loom_die "the pipeline printed something else than with another compiler"

printf '\n$ loom report %s\n' "$out/make-project/pipeline"
"$bin/loom" report "$out/make-project/pipeline"

# The picture and the Spatial apps of one program.
region=$(python3 - "$out/signals.stats" <<'P'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
print(max((r for r in rows if r["device"] == "sim"),
          key=lambda r: r["firings"])["region"])
P
)
"$bin/loom" graph "$out/cmake-project/signals" "$region" -o "$out/$region.svg" \
  >"$LOOM_LOGS/graph.log" 2>&1 ||
  { cat "$LOOM_LOGS/graph.log" >&2; loom_die "loom graph"; }
cp "$LOOM_SRC/examples/kernels/gemm_int.c" "$out/"
"$bin/loom-cc" -O2 "$out/gemm_int.c" -o "$out/gemm_int"
"$bin/loom" spatial "$out/gemm_int" -o "$out/spatial" \
  >"$LOOM_LOGS/spatial.log" 2>&1 ||
  { cat "$LOOM_LOGS/spatial.log" >&2; loom_die "loom spatial"; }

printf '\npicture of region %s: %s\n' "$region" "$out/$region.svg"
apps=$(find "$out/spatial" -name '*.scala' | sort)
[ -n "$apps" ] || loom_die "loom spatial wrote no app"
printf 'Spatial app: %s\n' $apps
printf '\nall of it took %s s\n' $(($(loom_seconds) - start))
