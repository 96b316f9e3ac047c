#!/usr/bin/env bash
# Formats and lints the Python sources with Ruff, as pyproject.toml says. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: tools/python.sh [--check]

Formats the Python sources and mends what Ruff can. tools/setup.sh installs Ruff in an environment of its own.

  --check  write nothing: fail if a source is not formatted, or if Ruff finds a fault
  --help   this text

exit code: 0 all is well, 1 it is not, 2 wrong usage
TEXT
}

check=false
case ${1-} in
  "") ;;
  --check) check=true ;;
  --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

ruff=$(tools/setup.sh --python "$(command -v python3)" tools/python-requirements.txt)
if $check; then
  "$ruff" -m ruff format --quiet --check . && "$ruff" -m ruff check --quiet .
else
  "$ruff" -m ruff check --quiet --fix . ; "$ruff" -m ruff format --quiet .
fi
