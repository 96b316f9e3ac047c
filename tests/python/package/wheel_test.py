"""What the wheel's compiled files ask of the machine that they are copied to, and what they show to the process."""

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import sightline

PACKAGE = Path(sightline.__file__).parent
MODULES = sorted(PACKAGE.glob("_*.so"))
PROGRAM = shutil.which("sightline", path=sysconfig.get_path("scripts"))

# The C and C++ run-time libraries and zlib, which every machine with Python has.
ON_EVERY_MACHINE = {
    "libc.so.6",
    "libm.so.6",
    "libstdc++.so.6",
    "libgcc_s.so.1",
    "libz.so.1",
    "ld-linux-x86-64.so.2",
}

# What the stable interface has under names of this form (Misc/stable_abi.toml of CPython): its macros use them, and
# nanobind does.
STABLE_PRIVATE = {
    "_Py_Dealloc",
    "_Py_DecRef",
    "_Py_EllipsisObject",
    "_Py_FalseStruct",
    "_Py_IncRef",
    "_Py_NoneStruct",
    "_Py_NotImplementedStruct",
    "_Py_TrueStruct",
    "_PyObject_GC_New",
    "_PyObject_New",
    "_PyWeakref_RefType",
}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def name_of(path):
    return Path(path).name.partition(".")[0]


def test_these_are_all_compiled_files_of_the_package():
    assert [name_of(path) for path in MODULES] == ["_core"]
    assert {*PACKAGE.rglob("*.so*")} == {*MODULES}


def test_the_modules_are_for_every_python_from_3_12_on():
    stable = sys.version_info >= (3, 12)
    assert all(path.name.endswith(".abi3.so") == stable for path in MODULES)
    if not stable:
        return
    listed = "".join(output_of("nm", "--dynamic", "--undefined-only", path) for path in MODULES)
    private = {*re.findall(r"\b_Py\w+", listed)}
    assert private <= STABLE_PRIVATE, private - STABLE_PRIVATE


@pytest.mark.parametrize("path", [*MODULES, PROGRAM], ids=name_of)
def test_nothing_is_needed_but_the_run_time_libraries_and_zlib(path):
    listed = output_of("readelf", "--dynamic", path)
    needed = {
        line.partition("[")[2].partition("]")[0]
        for line in listed.splitlines()
        if "(NEEDED)" in line
    }
    assert "libc.so.6" in needed and needed <= ON_EVERY_MACHINE
    assert "RPATH" not in listed and "RUNPATH" not in listed


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_but_the_modules_init_functions_is_visible(path):
    listed = output_of("nm", "--dynamic", "--defined-only", path)
    assert {line.split()[-1] for line in listed.splitlines()} == {
        f"PyInit_{name_of(stub)}" for stub in PACKAGE.glob("_*.pyi")
    }


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_is_taken_from_other_copies_of_the_libraries_within(path):
    listed = output_of("nm", "--dynamic", "--undefined-only", "--demangle", path)
    assert "Py" in listed
    assert not [
        line
        for line in listed.splitlines()
        if any(
            name in line
            for name in (
                "google::",
                "fmt::",
                "YAML::",
                "hwy::",
                "spng_",
                "isal_",
                "crc32_",
                "re2::",
                "pcre2_",
                "sqlite3_",
            )
        )
    ]


def test_the_pages_that_docstrings_name_are_installed():
    named = set()
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi"), *MODULES]:
        named |= {page.decode() for page in re.findall(rb"docs/\w+\.md", path.read_bytes())}
    assert len(named) > 5
    assert {page for page in named if not (PACKAGE / page).is_file()} == set()
