#!/usr/bin/env bash
# Holds the dashboard's server to dashboard/openapi.yaml. See --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)

usage() {
  cat <<'TEXT'
usage: tests/dashboard/openapi/run.sh [--program FILE]

Serves runs of tests/corpus with the program (build/dev/tools/sightline unless given) and asks for every path of
dashboard/openapi.yaml, as the page does and at random (schemathesis, which it installs once): every answer must be as
the file says, and every route of the server must be in it.

exit code: 0 it is so, 1 it is not, 2 wrong usage, 4 the program is missing
TEXT
}

program=$root/build/dev/tools/sightline
case ${1-} in
  "") ;;
  --program) program=${2-} ;;
  --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac
if [ ! -x "$program" ]; then
  printf 'openapi: %s is not there; build the target sightline\n' "$program" >&2
  exit 4
fi
python=$("$root/tools/setup.sh" --python "$(command -v python3)" "$here/requirements.txt")
exec "$python" -m pytest -q "$here" --rootdir "$here" --program "$program"
