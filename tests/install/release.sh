#!/usr/bin/env bash
# Tries what tools/release.sh made in the systems that it is for. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/install/release.sh [--machine x86_64|aarch64] [SUITE ...]

Makes a Debian of each SUITE for the machine (default: x86_64, and bullseye, bookworm and trixie; of aarch64 bookworm and
trixie) by debootstrap, once, in ${XDG_CACHE_HOME:-~/.cache}/sightline-release/roots, and does there what a user does, as an
ordinary user without a network: runs the program of build/dist (release_program.sh), and installs and uses the wheel of
build/dist with NumPy's from a folder (release_wheel.sh; not on bullseye, whose Python is 3.9). These systems have no compiler.
In a second one that has, a trainer is compiled with the C interface (release_sdk.sh). Needs root. What is for aarch64 is run
by qemu, which is known in namespaces of its own only.

exit code: 0 all worked, 1 something did not, 2 wrong usage, 3 what was tried worked but something was left out, which the
last lines name
TEXT
}

machine=x86_64 suites=()
while [ $# -gt 0 ]; do
  case $1 in
    --machine)
      case ${2-} in
        x86_64 | aarch64) machine=$2; shift ;;
        *) usage >&2; exit 2 ;;
      esac ;;
    bullseye | bookworm | trixie) suites+=("$1") ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
declare -A architectures=([x86_64]=amd64 [aarch64]=arm64)
declare -A all_suites=([x86_64]="bullseye bookworm trixie" [aarch64]="bookworm trixie")
[ ${#suites[@]} -gt 0 ] || suites=(${all_suites[$machine]})

say() { printf 'release: %s\n' "$*" >&2; }
left_out=()
leave_out() { left_out+=("$1"); }

program=$(ls build/dist/sightline-*-linux-$machine 2>/dev/null | tail -n 1)
sdk=$(ls build/dist/sightline-sdk-*-linux-$machine.tar.gz 2>/dev/null | tail -n 1)
compgen -G "build/dist/*_$machine.whl" >/dev/null && [ -n "$program" ] && [ -n "$sdk" ] ||
  { say "build/dist lacks the program, the C interface or the wheels for $machine; tools/release.sh --machine $machine makes them"; exit 1; }
if [ "$(id -u)" -ne 0 ]; then
  say "LEFT OUT: ${suites[*]}, since systems can be made and entered by root only"
  exit 3
fi
tools/setup.sh --release
roots=${XDG_CACHE_HOME:-$HOME/.cache}/sightline-release/roots/$machine
mkdir -p "$roots"
# Where a wheel is tried: the version of Python, and what the system has for it.
declare -A pythons=([bookworm]=3.11 [trixie]=3.13)
declare -A packages=([bookworm]=python3-venv,libprotobuf32 [trixie]=python3-venv,libprotobuf32t64)
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | head -n 1)

# make_root <name> <suite> <packages>: the system, once, with these packages.
make_root() {
  local more=$3
  [ "$(cat "$roots/$1/complete" 2>/dev/null)" = "with $more" ] && return
  say "making a Debian $2 of $machine${more:+ with $more}"
  rm -rf "${roots:?}/$1"
  mkdir -p "$roots"
  # What is for another machine is unpacked here, where devices can be made, and set up by its own programs, for which
  # debootstrap takes these namespaces for a container.
  if [ "$machine" = "$(uname -m)" ]; then
    # What it mounts ends with it, also if it is killed.
    unshare --mount debootstrap --variant=minbase ${more:+"--include=$more"} "$2" "$roots/$1" "$mirror"
  else
    debootstrap --foreign --arch "${architectures[$machine]}" --variant=minbase ${more:+"--include=$more"} "$2" "$roots/$1" "$mirror" &&
      tests/install/apart.sh "$machine" bash -c 'mount -t proc proc "$0/proc" && exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        container=lxc /debootstrap/debootstrap --second-stage' "$roots/$1"
  fi >"$roots/$1.log" 2>&1 || return
  printf 'with %s\n' "$more" >"$roots/$1/complete"
}

# put_wheels <suite>: the wheels of the package, and those of others for the Python there, into the system.
put_wheels() {
  local others=$roots/wheels-${pythons[$1]} folder=$roots/$1/opt/sightline/wheels
  rm -rf "$folder"
  mkdir -p "$folder"
  cp build/dist/*_$machine.whl "$folder"
  if ! compgen -G "$others/*.whl" >/dev/null; then
    "$(tools/setup.sh --python "$(command -v python3)" tools/release/requirements.txt)" -m pip download --quiet --disable-pip-version-check \
      --only-binary :all: --no-deps --dest "$others" --python-version "${pythons[$1]}" \
      --platform manylinux2014_$machine --platform manylinux_2_28_$machine numpy protobuf || return
  fi
  cp "$others"/*.whl "$folder"
}

# put_certificate <suite>: a certificate of 127.0.0.1 for two days, which no system trusts.
put_certificate() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
    -keyout "$roots/$1/opt/sightline/key.pem" -out "$roots/$1/opt/sightline/certificate.pem" 2>/dev/null
  chown 1000:1000 "$roots/$1/opt/sightline/key.pem"
}

# in_root <suite> <command ...>: as an ordinary user in an empty folder.
in_root() {
  local root=$roots/$1
  shift
  rm -rf "$root/home/user"
  install -d -o 1000 -g 1000 "$root/home/user"
  tests/install/apart.sh "$machine" bash -euc '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec chroot --userspec=1000:1000 "$0" env -i HOME=/home/user PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C.UTF-8 \
      bash -c "cd && exec \"\$@\"" bash "$@"' "$root" "$@"
}

# try_program_and_wheel <suite>: in a system without a compiler.
try_program_and_wheel() {
  make_root "$1" "$1" "${packages[$1]-}" || { leave_out "Debian $1 of $machine, which debootstrap could not make: $roots/$1.log"; return; }
  install -D "$program" "$roots/$1/opt/sightline/sightline"
  install tests/install/release_{steps.sh,program.sh,wheel.sh,wheel.py,beside.py} "$roots/$1/opt/sightline"
  put_certificate "$1"
  in_root "$1" /opt/sightline/release_program.sh /opt/sightline/sightline
  [ -n "${pythons[$1]-}" ] || return 0
  put_wheels "$1" || { leave_out "the wheel on Debian $1 of $machine, for which those of NumPy and Protocol Buffers could not be fetched"; return; }
  in_root "$1" /opt/sightline/release_wheel.sh /opt/sightline/wheels
}

# try_sdk <suite>: in one with the suite's own compilers: everywhere C++, and on Debian 12 of x86-64 Go and Rust, too.
try_sdk() {
  local name=$1-builder compilers=g++,pkg-config
  if [ "$1 $machine" = "bookworm x86_64" ]; then compilers+=,golang-go,rustc; fi
  make_root "$name" "$1" "$compilers" || { leave_out "Debian $1 of $machine with a compiler, which debootstrap could not make: $roots/$name.log"; return; }
  install -D "$program" "$roots/$name/opt/sightline/sightline"
  install "$sdk" "$roots/$name/opt/sightline/sdk.tar.gz"
  install tests/install/release_{steps,sdk}.sh docs/sdk.md "$roots/$name/opt/sightline"
  in_root "$name" /opt/sightline/release_sdk.sh /opt/sightline/{sdk.tar.gz,sightline,sdk.md}
}

for suite in "${suites[@]}"; do
  printf '\n== Debian %s on %s (after %d s)\n' "$suite" "$machine" "$SECONDS"
  try_program_and_wheel "$suite"
  try_sdk "$suite"
done
if [ ${#left_out[@]} -gt 0 ]; then
  printf 'release: LEFT OUT: %s\n' "${left_out[@]}" >&2
  exit 3
fi
