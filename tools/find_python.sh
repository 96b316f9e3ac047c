#!/usr/bin/env bash
# Prints the path of a CPython of VERSION (3.11) that has its headers, or nothing if none is in PATH, /usr/bin or pyenv.
# usage: tools/find_python.sh VERSION
set -euo pipefail

for candidate in "/usr/bin/python$1" "$(command -v "python$1" || true)" "$HOME/.pyenv/versions/$1".*/bin/python; do
  if [ -x "$candidate" ] && "$candidate" - "$1" <<'PYTHON' 2>/dev/null
import os, sys, sysconfig
right = "%d.%d" % sys.version_info[:2] == sys.argv[1] and sys.implementation.name == "cpython"
sys.exit(0 if right and os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")) else 1)
PYTHON
  then
    printf '%s\n' "$candidate"
    exit
  fi
done
