# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shared by examples/run.sh, test/run.sh and test/bench/run.sh (source it):
# packages, logs, configure and build.

LOOM_SRC=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
LOOM_BUILD=${LOOM_BUILD:-$LOOM_SRC/build}
LOOM_JOBS=${LOOM_JOBS:-$(nproc)}
LOOM_LOGS=$LOOM_BUILD/logs

# What Loom is built with, by the names of Debian 12.
LOOM_PACKAGES=(
  clang-22 lld-22 llvm-22 llvm-22-dev llvm-22-tools libmlir-22-dev
  mlir-22-tools libpolly-22-dev flatbuffers-compiler libflatbuffers-dev
  libxxhash-dev libgtest-dev zlib1g-dev libzstd-dev libxml2-dev libz3-dev
  ninja-build cmake make ccache scala graphviz python3 binutils
)
# What the tests need beside that: Debian source packages and their builds.
LOOM_TEST_PACKAGES=(dpkg-dev patch xz-utils autoconf automake libtool
  libreadline-dev gcc g++ csmith libcsmith-dev tcl)

if [ "$(id -u)" = 0 ]; then LOOM_SUDO=(); else LOOM_SUDO=(sudo); fi

loom_seconds() { date +%s; }

# loom_die TEXT: a last word, then the end.
loom_die() {
  printf 'FAILED: %s\n' "$1" >&2
  exit 1
}

# loom_step TITLE LOGNAME COMMAND...: runs a command with its output in a log;
# one line when it works, the end of the log when it doesn't.
loom_step() {
  local title=$1 log=$LOOM_LOGS/$2.log start
  shift 2
  mkdir -p "$LOOM_LOGS"
  start=$(loom_seconds)
  if "$@" >"$log" 2>&1 </dev/null; then
    printf '%-44s %5ss\n' "$title" $(($(loom_seconds) - start))
  else
    local code=$?
    printf '%-44s failed (exit %d); the end of %s:\n' "$title" "$code" "$log" >&2
    tail -n 40 "$log" >&2
    exit 1
  fi
}

# loom_missing_packages NAME...: those that are not installed.
loom_missing_packages() {
  local p
  for p in "$@"; do
    # A virtual or renamed package counts when something provides it.
    dpkg-query -W -f '${db:Status-Status}\n' "$p" 2>/dev/null |
      grep -qx installed || echo "$p"
  done
}

loom_apt() {
  DEBIAN_FRONTEND=noninteractive "${LOOM_SUDO[@]}" env \
    DEBIAN_FRONTEND=noninteractive apt-get "$@"
}

# loom_install NAME...: installs what is missing, nothing when all is there.
loom_install() {
  local missing
  mapfile -t missing < <(loom_missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null ||
    loom_die "these packages are missing and there is no apt-get: ${missing[*]}"
  loom_step "package lists" apt-update loom_apt update
  loom_step "install ${#missing[@]} packages" apt-install \
    loom_apt install -y --no-install-recommends "${missing[@]}"
}

loom_configure() {
  cmake -G Ninja -S "$LOOM_SRC" -B "$LOOM_BUILD" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 "$@"
}

# loom_build [TARGET...]: configures and builds; all when no target is named.
loom_build() {
  loom_step "configure" configure loom_configure
  loom_step "build" build ninja -C "$LOOM_BUILD" -j "$LOOM_JOBS" "$@"
  local f
  for f in bin/loom-cc bin/loom-c++ bin/loom; do
    [ -x "$LOOM_BUILD/$f" ] || loom_die "the build left no $f"
  done
}

# loom_debian_source NAME DIR: the source package NAME, unpacked below DIR by
# dpkg-source; the archives are kept in $LOOM_BUILD/debian-src. Prints the path.
loom_debian_source() {
  local name=$1 dir=$2 store=$LOOM_BUILD/debian-src/$1 dsc
  mkdir -p "$store" "$dir"
  if ! compgen -G "$store/*.dsc" >/dev/null; then
    loom_enable_sources &&
      (cd "$store" && apt-get source --download-only -qq "$name") >&2 ||
      { echo "can't get the Debian source package $name" >&2; return 1; }
  fi
  dsc=$(compgen -G "$store/*.dsc" | head -n 1)
  rm -rf "$dir/$name"
  dpkg-source --no-check -x "$dsc" "$dir/$name" >&2 && echo "$dir/$name"
}

# loom_enable_sources: apt-get source must work. Adds source entries beside the
# binary ones of this machine when it doesn't; what was there stays as it is.
loom_enable_sources() {
  apt-get source --print-uris zlib >/dev/null 2>&1 && return 0
  local list=/etc/apt/sources.list.d/loom-source.sources
  if [ -f /etc/apt/sources.list.d/debian.sources ]; then
    sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources |
      "${LOOM_SUDO[@]}" tee "$list" >/dev/null
  else
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list |
      "${LOOM_SUDO[@]}" tee "${list%.sources}.list" >/dev/null
  fi
  loom_apt update -qq >&2
  apt-get source --print-uris zlib >/dev/null 2>&1 ||
    { echo "apt-get source does not work on this machine" >&2; return 1; }
}
