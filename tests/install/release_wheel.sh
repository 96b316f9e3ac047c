#!/bin/bash
# What a user does with a wheel of a release, in the system that it runs in: tests/install/release.sh copies this there, with
# what is beside it. usage: release_wheel.sh WHEELS, a folder of the wheels of sightline, NumPy and Protocol Buffers. Runs in an
# empty folder, prints one line for each thing that worked, and ends with 1 at the first that did not.
set -euo pipefail

here=$(dirname "$0")
source "$here/release_steps.sh"
wheels=$1

begin "$(python3 --version) installs the wheel in an environment, without a network"
python3 -m venv env
begun=$SECONDS
env/bin/python -m pip install --quiet --no-index --find-links "$wheels" sightline
step+=" (NumPy with it: $((SECONDS - begun)) s)"
worked

begin "it is imported"
step+=" ($(env/bin/python -X importtime -c 'import sightline' 2>&1 | sed -n 's/.*| *\([0-9]*\) | sightline$/\1/p') us, NumPy with it)"
worked

begin "every kind of value is recorded and read"
env/bin/python "$here/release_wheel.py" record kinds
env/bin/python "$here/release_wheel.py" read kinds
worked

begin "so are they beside another Protocol Buffers, zlib, SQLite and C++ library, which work too"
env/bin/python -m pip install --quiet --no-index --find-links "$wheels" protobuf
env/bin/python "$here/release_beside.py" beside
worked

begin "what a killed Python recorded is completed by recover, and read"
env/bin/python "$here/release_wheel.py" endless killed &
python=$!
wait_for compgen -G 'killed/*_MS'
kill -KILL "$python"
{ wait "$python" || true; } 2>/dev/null
env/bin/sightline recover killed >/dev/null
env/bin/sightline verify killed >/dev/null
env/bin/python "$here/release_wheel.py" read_endless killed
worked

mkdir program
cd program
exec "$here/release_program.sh" ../env/bin/sightline
