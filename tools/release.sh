#!/usr/bin/env bash
# Makes what a release consists of. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: tools/release.sh [--machine x86_64|aarch64]... [--tests]

Makes in build/dist, for these machines (default: x86_64), from this clone and from Debian's sources of the libraries:

  sightline-VERSION-linux-MACHINE  the program, one file. It needs glibc 2.28 (2018) or newer and nothing else
  sightline-VERSION-cp*.whl        the Python package, for CPython 3.10, for 3.11, and for 3.12 and newer (manylinux_2_28)
  sightline-sdk-VERSION-linux-MACHINE.tar.gz  the C interface: headers, libsightline.so.1, pkg-config, CMake (docs/sdk.md)
  sightline-VERSION.spdx           what is in them: libraries, versions, licences (SPDX 2.3)
  sightline-VERSION-licences.txt   the notices of their licences
  SHA256SUMS                       of these

With --tests it makes, of the same objects, the tests of base, recorder, collectors, landscape, ir, runs and profiler in
build/tests-MACHINE in place of these; tests/install/arm.sh runs those of aarch64.

What was in build/dist is removed before. A wheel needs a CPython of its version with headers, in PATH, /usr/bin or pyenv.

The compiler is Zig's Clang, from the Python package index. It brings the C library's headers and symbols, so that nothing
depends on this system, which has to be an x86-64 Debian 12 or newer. What was fetched and the built libraries stay in
${XDG_CACHE_HOME:-~/.cache}/sightline-release.

exit code: 0 all was made, 1 something failed, 2 wrong usage, 3 what was tried was made but something was left out, which
the last lines name, 4 packages are missing (tools/setup.sh says which)
TEXT
}

say() { printf 'release: %s\n' "$*" >&2; }
left_out=()
leave_out() { left_out+=("$1"); }

machines=() tests=false
while [ $# -gt 0 ]; do
  case $1 in
    --machine)
      case ${2-} in
        x86_64 | aarch64) machines+=("$2"); shift ;;
        *) say "--machine takes x86_64 or aarch64, not '${2-}'"; exit 2 ;;
      esac ;;
    --tests) tests=true ;;
    --help) usage; exit 0 ;;
    *) say "unknown argument '$1'"; usage >&2; exit 2 ;;
  esac
  shift
done
[ ${#machines[@]} -gt 0 ] || machines=(x86_64)

root=$PWD
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sightline-release
dist=$root/build/dist
toolchain=$root/tools/release/toolchain.cmake
glibc=2.28
$tests || rm -rf "$dist"
mkdir -p "$cache" "$dist"

source tools/release/libraries.sh
source tools/release/sdk.sh
source tools/release/wheels.sh
source tools/release/lists.sh

# make_compilers: the folder $compilers of clang, clang++, ar and ranlib for $machine. Each is Zig with the right target.
# Paths of this machine do not get into what they make.
make_compilers() {
  local name command
  compilers=$cache/$machine/compilers
  mkdir -p "$compilers"
  for name in clang clang++ ar ranlib; do
    case $name in
      clang) command="cc -target $triple.$glibc -g0 -ffile-prefix-map=$cache=. -ffile-prefix-map=$zig_folder=." ;;
      clang++) command="c++ -target $triple.$glibc -g0 -ffile-prefix-map=$cache=. -ffile-prefix-map=$zig_folder=." ;;
      *) command=$name ;;
    esac
    printf '#!/bin/sh\n# %s\nexec "%s" %s "$@"\n' "$zig_version" "$zig_folder/zig" "$command" >"$compilers/$name.new"
    chmod +x "$compilers/$name.new"
    mv "$compilers/$name.new" "$compilers/$name"
  done
}

# check_needs <file>: fails if it needs another library than the C library's, or symbols of a newer one.
check_needs() {
  local other newest
  other=$(readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vxE 'lib(c|m|pthread|dl|rt)\.so\.[0-9]+|ld-linux-.*' || true)
  [ -z "$other" ] || { say "$1 needs" $other; exit 1; }
  newest=$(readelf --dyn-syms -W "$1" | grep -o 'GLIBC_[0-9.]*' | sed s/GLIBC_// | sort -Vu | tail -n 1)
  [ "$(printf '%s\n' "$newest" "$glibc" | sort -V | tail -n 1)" = "$glibc" ] || { say "$1 needs glibc $newest"; exit 1; }
}

# choose_settings: what CMake is told for the program and for the wheels alike, so that they are made of the same objects.
choose_settings() {
  local linking='-Wl,--gc-sections,-z,relro,-z,now'
  build=$root/build/release-$machine
  settings=(
    CMAKE_TOOLCHAIN_FILE="$toolchain" CMAKE_BUILD_TYPE=Release
    SIGHTLINE_COMMIT="$commit" SIGHTLINE_{UNITY=ON,BUILD_TESTS=OFF,BUILD_BENCHMARKS=OFF,WERROR=OFF}
    OPENSSL_USE_STATIC_LIBS=ON Protobuf_PROTOC_EXECUTABLE="$(command -v protoc)"
    CMAKE_CXX_FLAGS="-ffile-prefix-map=$root=. -ffunction-sections -fdata-sections -fno-sanitize=undefined"
    CMAKE_CXX_VISIBILITY_PRESET=hidden CMAKE_VISIBILITY_INLINES_HIDDEN=ON
    CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES="$({ ls -d "${folders[@]/%//include}" "${folders[@]/%//usr/include}" 2>/dev/null || true; } | paste -sd ';')"
    CMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG"
    CMAKE_EXE_LINKER_FLAGS="-s -pie $linking" CMAKE_{MODULE,SHARED}_LINKER_FLAGS="-s $linking"
  )
}

build_program() {
  cmake -S . -B "$build" -G Ninja --log-level=WARNING "${settings[@]/#/-D}" -D SIGHTLINE_BUILD_PYTHON=OFF
  cmake --build "$build" -j "$(nproc)" --target sightline
  check_needs "$build/tools/sightline"
  cp "$build/tools/sightline" "$dist/sightline-$version-linux-$machine"
}

build_tests() {
  local rooms=(tests/{base,recorder,collectors,landscape,ir,runs,profiler}/all)
  build=$root/build/tests-$machine
  cmake -S . -B "$build" -G Ninja --log-level=WARNING "${settings[@]/#/-D}" -D SIGHTLINE_BUILD_PYTHON=OFF -D SIGHTLINE_BUILD_TESTS=ON
  cmake --build "$build" -j "$(nproc)" --target "${rooms[@]}"
}

tools/setup.sh --release
python=$(tools/setup.sh --python "$(command -v python3)" tools/release/requirements.txt)
zig_folder=$("$python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')
zig_version=$("$zig_folder/zig" version)
export ZIG_GLOBAL_CACHE_DIR=$cache/zig ZIG_LOCAL_CACHE_DIR=$cache/zig
if command -v ccache >/dev/null; then
  # A compiler is a script with its version in it. DEPEND saves a run of the preprocessor.
  export CCACHE_COMPILERTYPE=clang CCACHE_COMPILERCHECK=content CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
commit=$(git rev-parse HEAD)
[ -z "$(git status --porcelain)" ] || commit+=-changed
version=$(sed -n 's/^project(Sightline VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

for machine in "${machines[@]}"; do
  triple=$machine-linux-gnu
  make_compilers
  export SIGHTLINE_RELEASE_MACHINE=$machine SIGHTLINE_RELEASE_COMPILERS=$compilers SIGHTLINE_RELEASE_LIBRARIES=
  build_libraries "$library_table"
  if $tests; then build_libraries "$test_library_table"; fi
  SIGHTLINE_RELEASE_LIBRARIES=$(IFS=:; printf '%s' "${folders[*]}")
  PKG_CONFIG_LIBDIR=$(printf '%s/lib/pkgconfig:' "${folders[@]}")
  export PKG_CONFIG_LIBDIR
  choose_settings
  if $tests; then
    build_tests
    continue
  fi
  build_program
  build_sdk
  build_wheels
done
if $tests; then exit; fi
write_lists
say "made (after $SECONDS s):"
ls -l "$dist" >&2
if [ ${#left_out[@]} -gt 0 ]; then
  printf 'release: LEFT OUT: %s\n' "${left_out[@]}" >&2
  exit 3
fi
