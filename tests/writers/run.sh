#!/usr/bin/env bash
# Reads what TensorFlow, PyTorch and others write, as TensorBoard reads it. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

case ${1-} in
  --help)
    cat <<'TEXT'
usage: tests/writers/run.sh [PYTEST'S ARGUMENTS]

Installs TensorFlow, PyTorch, tensorboardX, clu, flax and Lightning in an environment of their own (tools/setup.sh, once,
8 GB), lets each of them write every kind of value that it knows, and compares what build/dev/tools/sightline reads with
what was written and with what TensorBoard reads. Needs a CPython 3.11.

exit code: 0 all passed, 1 something failed, 2 no CPython 3.11
TEXT
    exit 0
    ;;
esac

python=
for candidate in /usr/bin/python3.11 "$(command -v python3.11 || true)"; do
  if [ -x "$candidate" ]; then python=$candidate; break; fi
done
[ -n "$python" ] || { printf 'writers: there is no python3.11\n' >&2; exit 2; }
environment=$(tools/setup.sh --python "$python" tests/writers/requirements.txt)
exec "$environment" -m pytest --quiet -p no:cacheprovider tests/writers "$@"
