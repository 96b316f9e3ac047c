#!/bin/bash
# Runs a command as root of namespaces of its own: what it starts ends with it, it reaches nothing but itself, and programs for
# MACHINE run there, by qemu if this machine is another one. usage: apart.sh MACHINE COMMAND ... Only root may call it.
set -euo pipefail

case $1 in
  --wait) # Until users are mapped. Who then begins anew is the namespace's root.
    read -r _ <"$2"
    exec "$0" --begin "${@:3}" ;;
  --begin)
    ip link set lo up
    if [ "$2" != "$(uname -m)" ]; then
      mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
      # F: qemu is opened now, and found in any root.
      sed 's/:[A-Z]*$/:OPF/' "/usr/lib/binfmt.d/qemu-$2.conf" >/proc/sys/fs/binfmt_misc/register
    fi
    exec "${@:3}" ;;
esac

here=$(readlink /proc/self/ns/user)
gate=$(mktemp -u)
mkfifo "$gate"
unshare --user --mount --pid --net --fork --kill-child "$0" --wait "$gate" "$@" &
outer=$!
until [ "$(readlink "/proc/$outer/ns/user")" != "$here" ]; do sleep 0.01; done
echo 0 0 65536 >"/proc/$outer/uid_map"
echo 0 0 65536 >"/proc/$outer/gid_map"
echo >"$gate"
rm "$gate"
wait "$outer"
