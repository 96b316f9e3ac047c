# What release_program.sh and release_wheel.sh do their steps with; both source this file. `begin` names a step and `worked`
# prints it; the first that fails is named and ends the script.
step="start"
trap 'printf "release: FAILED: %s: %s (in %s)\n" "$step" "$BASH_COMMAND" "$(sed -n "s/^PRETTY_NAME=//p" /etc/os-release)" >&2' ERR
begin() { step=$*; }
worked() { printf '  %s\n' "$step"; }

# wait_for <command ...>: until it succeeds, half a minute at most.
wait_for() {
  for _ in {1..300}; do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  return 1
}

# has <grep's arguments>: as grep -q, but reads to the end, so that who writes is not interrupted.
has() { grep "$@" >/dev/null; }
