#!/usr/bin/env bash
# Tries what tools/release.sh made in the systems that it is for. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/install/release.sh [SUITE ...]

Makes a Debian of each SUITE (default: bullseye, bookworm, trixie) by debootstrap, once, in
${XDG_CACHE_HOME:-~/.cache}/sightline-release/roots, and does there what a user does, as an ordinary user without a network:
copies the program of build/dist and runs release_program.sh. Needs root. The systems have no compiler.

exit code: 0 all worked, 1 something did not, 2 wrong usage, 3 what was tried worked but something was left out, which the
last lines name
TEXT
}

suites=()
for argument in "$@"; do
  case $argument in
    bullseye | bookworm | trixie) suites+=("$argument") ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
[ ${#suites[@]} -gt 0 ] || suites=(bullseye bookworm trixie)

say() { printf 'release: %s\n' "$*" >&2; }
left_out=()
leave_out() { left_out+=("$1"); }

program=$(ls build/dist/sightline-*-linux-x86_64 2>/dev/null | tail -n 1)
[ -n "$program" ] || { say "build/dist has no program for x86_64; tools/release.sh makes it"; exit 1; }
if [ "$(id -u)" -ne 0 ]; then
  say "LEFT OUT: ${suites[*]}, since systems can be made and entered by root only"
  exit 3
fi
tools/setup.sh --release
roots=${XDG_CACHE_HOME:-$HOME/.cache}/sightline-release/roots
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | head -n 1)

# make_root <suite>: the system, once.
make_root() {
  [ -e "$roots/$1/complete" ] && return
  say "making a Debian $1"
  rm -rf "${roots:?}/$1"
  mkdir -p "$roots"
  debootstrap --variant=minbase "$1" "$roots/$1" "$mirror" >"$roots/$1.log" 2>&1 || return
  touch "$roots/$1/complete"
}

# in_root <suite> <command ...>: as an ordinary user in an empty folder, in namespaces of its own: what it starts ends with
# it, and it reaches nothing but itself.
in_root() {
  local root=$roots/$1
  shift
  rm -rf "$root/home/user"
  install -d -o 1000 -g 1000 "$root/home/user"
  unshare --mount --pid --net --fork bash -euc '
    ip link set lo up
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec chroot --userspec=1000:1000 "$0" env -i HOME=/home/user PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C.UTF-8 \
      bash -c "cd && exec \"\$@\"" bash "$@"' "$root" "$@"
}

for suite in "${suites[@]}"; do
  make_root "$suite" || { leave_out "Debian $suite, which debootstrap could not make: $roots/$suite.log"; continue; }
  printf '\n== Debian %s (after %d s)\n' "$suite" "$SECONDS"
  install -D "$program" "$roots/$suite/opt/sightline/sightline"
  install tests/install/release_program.sh "$roots/$suite/opt/sightline"
  in_root "$suite" /opt/sightline/release_program.sh /opt/sightline/sightline
done
if [ ${#left_out[@]} -gt 0 ]; then
  printf 'release: LEFT OUT: %s\n' "${left_out[@]}" >&2
  exit 3
fi
