# The wheels of a release, for one machine. tools/release.sh sources this file; its variables are used here.

# build_wheels: one for each CPython that has an interface of its own, and that of 3.12 for all later ones.
build_wheels() {
  local python_version python
  for python_version in 3.10 3.11 3.12; do
    python=$(tools/find_python.sh "$python_version")
    if [ -n "$python" ]; then
      build_wheel
    else
      leave_out "the wheel of CPython $python_version for $machine, since none with headers is here"
    fi
  done
}

# build_wheel: with $python, whose headers serve every machine, into $dist. Sets nanobind, the folder of that.
build_wheel() {
  local tools_python made=$build/made
  local -x SOURCE_DATE_EPOCH # The times of what is in the wheel.
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  say "building the wheel of CPython $python_version for $machine (after $SECONDS s)"
  tools_python=$(tools/setup.sh --python "$python" tools/release/wheel-requirements.txt)
  nanobind=$("$tools_python" -c 'import nanobind, os; print(os.path.dirname(nanobind.__file__))')
  rm -rf "$made"
  # The names of modules and wheel come from these two, not from the machine that builds.
  SETUPTOOLS_EXT_SUFFIX=.cpython-${python_version/./}-$triple.so _PYTHON_HOST_PLATFORM=linux-$machine \
    "$tools_python" -m pip wheel . --quiet --disable-pip-version-check --no-build-isolation --no-deps \
    --config-settings=build-dir="$build" "${settings[@]/#/--config-settings=cmake.define.}" --wheel-dir "$made"
  "$tools_python" -m zipfile -e "$made"/*.whl "$made/content"
  find "$made/content" -type f \( -name '*.so' -o -name sightline \) | while read -r file; do check_needs "$file"; done
  "$tools_python" -m wheel tags --remove --platform-tag "manylinux_${glibc/./_}_$machine" "$made"/*.whl >/dev/null
  mv "$made"/*.whl "$dist"
}
