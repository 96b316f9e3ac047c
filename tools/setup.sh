#!/usr/bin/env bash
# Installs what building and testing Sightline needs, as far as it is missing. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: tools/setup.sh [--checks] [--peers] [--protobuf] [--all]
       tools/setup.sh --python PYTHON REQUIREMENTS

Installs the Debian packages (Debian 12 or newer) that Sightline is built and tested with, when they are
missing: by apt-get when run by root or by somebody with password-less sudo. Otherwise it prints the command
that does it, and stops.

  --checks   also the packages of tools/test.sh --all: Clang with its tools, ccache, Python's venv
  --peers    only make the Python environment of the conformance tests and benchmarks (TensorBoard,
             tensorboardX, pytest; versions in tests/conformance/requirements.txt) under
             ${XDG_CACHE_HOME:-~/.cache}/sightline, once, and print the path of its python
  --protobuf only build Debian's source of Protocol Buffers as a static library for the Python package (no Python
             package of Debian's carries one), once, in the same place, where `pip install .` finds it; takes
             four minutes of one core
  --all      all of these, and the packages of tests/python: Python's headers and PyTorch
  --python   only make an environment of the interpreter PYTHON with what the file REQUIREMENTS lists, in the same
             place, once, and print the path of its python
  --help     this text

exit code: 0 everything is there, 1 an installation failed, 2 wrong usage, 4 packages are missing and this
user cannot install them
TEXT
}

# docs/dependencies.md says what each is for.
build_packages=(
  build-essential cmake ninja-build pkg-config
  libprotobuf-dev protobuf-compiler zlib1g-dev libeigen3-dev nlohmann-json3-dev libisal-dev libhwy-dev
  libspng-dev libexpected-dev libfmt-dev libspdlog-dev libcli11-dev libssl-dev libyaml-cpp-dev
  libgtest-dev libgmock-dev libbenchmark-dev graphviz
)
check_packages=(
  clang-14 clang-tidy-14 clang-format-14 libclang-rt-14-dev llvm-14 ccache git python3 python3-venv
)
python_packages=(python3-dev python3-torch)

say() { printf 'setup: %s\n' "$*" >&2; }

install_packages() {
  local wanted=("$@") missing=() name
  if ! command -v dpkg-query >/dev/null; then
    say "this system has no dpkg. Sightline is built on Debian 12; what its packages are called there:"
    printf '  %s\n' "${wanted[*]}" >&2
    exit 4
  fi
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)
  for name in "${wanted[@]}"; do
    grep -qx "installed $name" <<<"$installed" || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      say "these packages are missing, and installing them needs root. Run:"
      printf '  sudo apt-get update && sudo apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
      exit 4
    fi
    as_root=(sudo -n)
  fi
  say "installing ${missing[*]}"
  { "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -q --no-install-recommends "${missing[@]}"; } >&2 ||
    { say "apt-get could not install them"; exit 1; }
}

# make_environment <name> <python> <requirements>: makes that environment unless it is there, and prints the path of its
# python. The folder's name holds the requirements and the Python, so that a change of either makes a new one.
make_environment() {
  local name=$1 python=$2 requirements=$3 cache key folder
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/sightline
  # Requirements may include other files, by -r.
  key=$({ cat "$requirements"; sed -n "s|^-r |$(dirname "$requirements")/|p" "$requirements" | xargs -r cat
    "$python" --version; } | sha256sum | cut -c 1-12)
  folder=$cache/$name-$key
  mkdir -p "$cache"
  (
    flock 9
    [ -e "$folder/complete" ] && exit 0
    say "installing what $requirements lists into $folder"
    rm -rf "$folder" &&
      "$python" -m venv "$folder" >&2 &&
      "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
        --requirement "$requirements" >&2 &&
      touch "$folder/complete"
  ) 9>"$cache/$name.lock" || { say "what $requirements lists could not be installed"; exit 1; }
  printf '%s\n' "$folder/bin/python"
}

# The static library that Debian has is not made for extension modules (it is not position-independent). This one is
# its package's source, patches included, with hidden symbols.
make_protobuf() {
  local cache version folder work
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/sightline
  version=$(protoc --version | cut -d ' ' -f 2)
  folder=$cache/protobuf-$version
  mkdir -p "$cache"
  (
    flock 9
    [ -e "$folder/libprotobuf.a" ] && exit 0
    say "building Protocol Buffers $version into $folder"
    work=$(mktemp -d "$cache/protobuf.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    # Package lists of its own: sources need not be among those of the system, and no root.
    mkdir -p "$work"/{lists,cache/archives}/partial "$work/parts" "$folder" || exit
    if [ -e /etc/apt/sources.list.d/debian.sources ]; then
      sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$work/parts/debian.sources"
    else
      sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$work/parts/debian.list"
    fi
    apt=(apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/parts"
      -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
    { "${apt[@]}" update && cd "$work" && "${apt[@]}" source "protobuf=$(dpkg-query -Wf '${Version}' libprotobuf-dev)" &&
      cmake -S "$work"/protobuf-*/ -B build -G Ninja --log-level=WARNING -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_CXX_VISIBILITY_PRESET=hidden -Dprotobuf_BUILD_TESTS=OFF \
        -Dprotobuf_BUILD_PROTOC_BINARIES=OFF -Dprotobuf_BUILD_LIBPROTOC=OFF &&
      cmake --build build --target libprotobuf &&
      mv build/libprotobuf.a "$folder"; } >&2
  ) 9>"$cache/protobuf.lock" || { say "Protocol Buffers could not be built as a static library"; exit 1; }
}

if [ "${1-}" = --python ]; then
  if [ $# -ne 3 ] || [ ! -x "$2" ] || [ ! -e "$3" ]; then usage >&2; exit 2; fi
  make_environment python "$2" "$3"
  exit
fi

packages=("${build_packages[@]}") peers=false protobuf=false
for argument in "$@"; do
  case $argument in
    --checks) packages+=("${check_packages[@]}") ;;
    --peers) packages=() peers=true ;;
    --protobuf) packages=() protobuf=true ;;
    --all) packages+=("${check_packages[@]}" "${python_packages[@]}") peers=true protobuf=true ;;
    --help) usage; exit 0 ;;
    *) say "unknown argument '$argument'"; usage >&2; exit 2 ;;
  esac
done

if [ ${#packages[@]} -gt 0 ]; then install_packages "${packages[@]}"; fi
if $protobuf; then make_protobuf; fi
if $peers; then make_environment peers python3 tests/conformance/requirements.txt; fi
