#!/usr/bin/env bash
# Builds the wheel for CPython, and tests it. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/python/run.sh [--mindspore VERSION]... [--torch] [PYTHON ...]

Builds the wheel for each CPython (PYTHON: 3.10 3.11 3.12 3.13, or all: those of them that are found with headers,
in PATH, /usr/bin or pyenv; default: 3.11, or else the newest of them) with warnings as errors, installs it into an
environment of its own under build/python, and runs tests/python: on 3.11, or else on the newest one, every test; on
the others those that need nothing but NumPy. The libraries are compiled once, in build/wheel. Then pip install . is
tried as a user does it, in isolation. Lints python/native. Training with PyTorch, PyTorch Lightning and Transformers is
tested where the system's python3 has PyTorch (Debian's python3-torch), training with MindSpore where there is a
CPython 3.11.

  --mindspore VERSION  2.7.0 (the default) or 2.10.0; each is an environment of 2.6 GB, which tools/setup.sh makes
                       once. 2.7.0 together with 2.10.0 also tests MindFormers.
  --torch              instead of all that: only trainings with the current PyTorch, its profiler, Lightning and Transformers, which
                       are an environment of 6 GB (torch-current-requirements.txt)

exit code: 0 all passed, 1 something failed or no Python was found, 2 wrong usage, 3 what ran passed but something was
left out, which the last lines name
TEXT
}

# The versions of MindSpore that the callback is tested with, by CPython 3.11.
versions=() mindspore_versions=() newest_only=false torch_only=false
while [ $# -gt 0 ]; do
  case $1 in
    3.10 | 3.11 | 3.12 | 3.13) versions+=("$1") ;;
    all) versions=(3.10 3.11 3.12 3.13) ;;
    --mindspore)
      case ${2-} in
        2.7.0 | 2.10.0) mindspore_versions+=("$2"); shift ;;
        *) usage >&2; exit 2 ;;
      esac ;;
    --torch) torch_only=true ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
[ ${#versions[@]} -gt 0 ] || { versions=(3.10 3.12 3.13 3.11); newest_only=true; }
[ ${#mindspore_versions[@]} -gt 0 ] || mindspore_versions=(2.7.0)

left_out=()
leave_out() { left_out+=("$1"); printf 'python: LEFT OUT: %s\n' "$1"; }
say() { printf '\n-- %s (after %d s)\n' "$*" "$SECONDS"; }

declare -A pythons=()
full=
for version in "${versions[@]}"; do
  python=$(tools/find_python.sh "$version")
  if [ -z "$python" ]; then
    $newest_only || leave_out "CPython $version, since none with headers is here"
    continue
  fi
  pythons[$version]=$python
  if [ "$full" != 3.11 ]; then full=$version; fi
done
if $newest_only && [ -n "$full" ]; then
  python=${pythons[$full]}
  pythons=([$full]=$python)
fi
if [ -z "$full" ]; then
  printf 'python: no CPython 3.10 to 3.13 with headers was found; Debian has one in python3-dev\n' >&2
  exit 1
fi

# One compiler for all: left alone, each Python brings the name of the one that it was built with, and a new name
# compiles the libraries again.
export CC=${CC:-gcc} CXX=${CXX:-g++}

tools/setup.sh --static
out=$PWD/build/python
mkdir -p "$out"

# What every change must pass compiles in two thirds of the time; `tools/test.sh --release python` compiles as users do.
build_settings=(--config-settings=cmake.define.SIGHTLINE_WERROR=ON)
! $newest_only || build_settings+=("--config-settings=cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG")

# The version of MindFormers that asks for a version of MindSpore, if there is one.
declare -A mindformers_of=([2.7.0]=1.6.0)

# install_into <wheel> <python> <environment> [venv arguments]: makes that environment anew, with the wheel in it.
install_into() {
  local wheel=$1 python=$2 environment=$3
  shift 3
  rm -rf "$environment"
  "$python" -m venv "$@" "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index "$wheel"
}

# with_packages_of <other pythons> <wheel> <python> <environment>: the same, and the environment sees the packages of the
# other ones, a word each, which stay as they are.
with_packages_of() {
  local others=$1 environment=$4 purelib='import sysconfig; print(sysconfig.get_paths()["purelib"])' other
  shift
  install_into "$@"
  for other in $others; do "$other" -c "$purelib"; done >"$("$environment/bin/python" -c "$purelib")/others.pth"
}

for version in "${!pythons[@]}"; do
  requirements=tests/python/build-requirements.txt
  [ "$version" != "$full" ] || requirements=tests/python/requirements.txt
  tools_python=$(tools/setup.sh --python "${pythons[$version]}" "$requirements")
  say "CPython $version: build the wheel with ${pythons[$version]}"
  rm -rf "$out/wheel-$version"
  "$tools_python" -m pip wheel . --quiet --disable-pip-version-check --no-build-isolation --no-deps \
    "${build_settings[@]}" --wheel-dir "$out/wheel-$version"

  environment=$out/environment-$version
  with_packages_of "$tools_python" "$out/wheel-$version"/*.whl "${pythons[$version]}" "$environment"

  if $torch_only; then
    say "CPython $version: trainings with the current PyTorch"
    current_python=$(tools/setup.sh --python "${pythons[$version]}" tests/python/torch-current-requirements.txt)
    with_packages_of "$current_python" "$out/wheel-$version"/*.whl "${pythons[$version]}" "$out/environment-torch-current"
    "$environment/bin/python" -m pytest --quiet "--torch-python=$out/environment-torch-current/bin/python" \
      tests/python/pytorch/{torch_capture,torch_training,torch_landscape,torch_profile,torch_ranks,lightning,transformers}_test.py
    exit
  fi

  if [ "$version" != "$full" ]; then
    say "CPython $version: the tests that need nothing but NumPy"
    "$environment/bin/python" -m pytest --quiet tests/python/recording/{recorder,process,summary_monitor,summary_monitor_options,mindspore_steps}_test.py \
      tests/python/{ir/ir,runs/runs,package/wheel}_test.py
    continue
  fi
  torch=()
  if /usr/bin/python3 -c "import sys, torch; sys.exit('%d.%d' % sys.version_info[:2] != '$version')" 2>/dev/null; then
    # What Lightning and Transformers ask for would bring another PyTorch.
    adapters_python=$(PIP_NO_DEPS=1 tools/setup.sh --python /usr/bin/python3 tests/python/torch-requirements.txt)
    with_packages_of "$adapters_python" "$out/wheel-$version"/*.whl /usr/bin/python3 "$out/environment-torch" \
      --system-site-packages
    torch=("--torch-python=$out/environment-torch/bin/python")
  else
    leave_out "training with PyTorch, Lightning and Transformers, since /usr/bin/python3 is not $version with python3-torch"
  fi
  say "CPython $version: every test"
  "$environment/bin/python" -m pytest --quiet tests/python "${torch[@]}"
  "$environment/bin/python" tests/bench/python_bench.py --smoke

  # Minutes: not in what every change must pass.
  if ! $newest_only && [ ${#torch[@]} -gt 0 ]; then
    say "CPython $version: tensorboardX's own tests, captured"
    own_python=$(tools/setup.sh --python /usr/bin/python3 tests/python/tensorboardx-requirements.txt)
    with_packages_of "$own_python" "$out/wheel-$version"/*.whl /usr/bin/python3 "$out/environment-tensorboardx" \
      --system-site-packages
    own_tests=$out/tensorboardx
    rm -rf "$own_tests"
    mkdir "$own_tests"
    "$own_python" -m pip download tensorboardX==2.6.5 --quiet --disable-pip-version-check --no-deps --no-binary :all: \
      --dest "$own_tests"
    tar --extract --gzip --directory "$own_tests" --strip-components 1 --wildcards --file "$own_tests"/*.tar.gz '*/tests'
    # One checks its sources' form, and one reads a file that the archive lacks.
    (cd "$own_tests" && "$out/environment-tensorboardx/bin/python" -c '
import sys
import unittest.mock
import pytest
import sightline

sightline.capture()
files = ["tests", "tests/event_file_writer_test.py", "tests/record_writer_test.py"]
ignored = ["--ignore=tests/test_lint.py", "--ignore=tests/test_openvino_graph.py"]
sys.exit(pytest.main(["-q", *files, *ignored]))')
  fi

  if [ "$version" != 3.11 ]; then
    leave_out "training with MindSpore, since there is no CPython 3.11"
    continue
  fi
  for mindspore in "${mindspore_versions[@]}"; do
    say "CPython $version: training with MindSpore $mindspore"
    requirements=tests/python/mindspore-$mindspore-requirements.txt
    mindspore_python=$(tools/setup.sh --python "${pythons[$version]}" "$requirements")
    with_packages_of "$mindspore_python" "$out/wheel-$version"/*.whl "${pythons[$version]}" \
      "$out/environment-mindspore-$mindspore"
    "$out/environment-mindspore-$mindspore/bin/python" -m pytest --quiet tests/python/mindspore_callback

    requirements=tests/python/mindformers-${mindformers_of[$mindspore]-}-requirements.txt
    # Its packages take minutes to install: not in what every change must pass.
    { [ -e "$requirements" ] && [ ${#mindspore_versions[@]} -gt 1 ]; } || continue
    say "CPython $version: MindFormers ${mindformers_of[$mindspore]}"
    mindformers_python=$(PIP_NO_DEPS=1 tools/setup.sh --python "${pythons[$version]}" "$requirements")
    with_packages_of "$mindformers_python $mindspore_python" "$out/wheel-$version"/*.whl "${pythons[$version]}" \
      "$out/environment-mindformers"
    "$out/environment-mindformers/bin/python" -m pytest --quiet tests/python/mindformers_callback
  done
  "$out/environment-mindspore-${mindspore_versions[0]}/bin/python" tests/bench/mindspore_overhead.py --smoke
done

say "lint python/"
SIGHTLINE_LINT_BUILD=build/wheel tools/lint.sh python/native/*/*.cc

# The builds above see the environment that is there, and the libraries of tools/setup.sh --static; this one brings what
# pyproject.toml asks for, and links the system's shared libraries. It comes last, since the headers that it compiles
# with are gone afterwards.
say "CPython $full: pip install . as it stands on docs/python.md"
user=$out/environment-user
rm -rf "$user" "$out/empty"
mkdir "$out/empty"
"${pythons[$full]}" -m venv "$user"
PIP_CACHE_DIR=$("$user/bin/python" -m pip cache dir) XDG_CACHE_HOME=$out/empty "$user/bin/python" -m pip install . --quiet --disable-pip-version-check \
  "${build_settings[@]}" # As above: the libraries are not compiled again.
"$out/environment-$full/bin/python" -m pytest --quiet tests/python/package/user_install_test.py "--user-python=$user/bin/python"
if [ ${#left_out[@]} -gt 0 ]; then
  printf '\npython: left out:\n'
  printf '  %s\n' "${left_out[@]}"
  exit 3
fi
