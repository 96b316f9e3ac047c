#!/usr/bin/env bash
# Opens what Sightline records with MindInsight 2.3.1. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

case ${1-} in
  --help)
    cat <<'TEXT'
usage: tests/mindinsight/run.sh [PYTEST'S ARGUMENTS]

Installs MindInsight 2.3.1 in an environment of its own (tools/setup.sh, once, 450 MB), serves a run of
build/dev/tools/sightline with it on this machine only, and compares what it answers with what was recorded.
Needs a CPython 3.11.

exit code: 0 all passed, 1 something failed, 2 no CPython 3.11
TEXT
    exit 0
    ;;
esac

python=
for candidate in /usr/bin/python3.11 "$(command -v python3.11 || true)"; do
  if [ -x "$candidate" ]; then python=$candidate; break; fi
done
[ -n "$python" ] || { printf 'mindinsight: there is no python3.11\n' >&2; exit 2; }
environment=$(tools/setup.sh --python "$python" tests/mindinsight/requirements.txt)
exec "$environment" -m pytest --quiet -p no:cacheprovider tests/mindinsight "$@"
