"""Registration with MindFormers, by its documented interface: MindFormerRegister and MindFormerModuleType.

MindFormers itself is tested beside MindSpore 2.7.0 (mindformers_callback). No version of it is for MindSpore 2.10: 1.9.0 asks for
2.9, 2.1.0 for 2.11. So here a package of that name stands in, whose registry does what its
documentation says: what is registered last wins."""

import importlib
import sys
from pathlib import Path

import pytest

REGISTER = """
class MindFormerModuleType:
    CALLBACK = "callback"

class MindFormerRegister:
    registry = {}

    @classmethod
    def register(cls, module_type, alias=None):
        return lambda register_class: cls.register_cls(register_class, module_type, alias)

    @classmethod
    def register_cls(cls, register_class, module_type="tools", alias=None):
        cls.registry.setdefault(module_type, {})[alias or register_class.__name__] = register_class
        return register_class

    @classmethod
    def get_instance_from_cfg(cls, cfg, module_type):
        arguments = dict(cfg)
        if "auto_register" in arguments:
            import importlib, os, sys
            file, _, name = arguments.pop("auto_register").partition(".")
            sys.path.insert(0, os.environ["REGISTER_PATH"])
            cls.register_cls(getattr(importlib.import_module(file), name), module_type)
        return cls.registry[module_type][arguments.pop("type")](**arguments)
"""
CALLBACK = """
from mindformers.tools.register import MindFormerModuleType, MindFormerRegister

@MindFormerRegister.register(MindFormerModuleType.CALLBACK)
class SummaryMonitor:
    pass
"""


@pytest.fixture
def mindformers(tmp_path, monkeypatch):
    """Puts the package into sys.path; afterwards nobody has imported it, nor sightline.mindspore."""
    files = {
        "__init__.py": "from mindformers.core.callback import SummaryMonitor",
        "tools/__init__.py": "",
        "tools/register/__init__.py": REGISTER,
        "core/__init__.py": "",
        "core/callback/__init__.py": "from mindformers.core.callback.callback import SummaryMonitor",
        "core/callback/callback.py": CALLBACK,
    }
    for name, text in files.items():
        path = tmp_path / "mindformers" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    ours = {
        name: sys.modules.pop(name)
        for name in list(sys.modules)
        if name.startswith("sightline.mindspore")
    }
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "mindformers"]:
        del sys.modules[name]
    sys.modules.update(ours)


def built(tmp_path, **config):
    from mindformers.tools.register import MindFormerModuleType, MindFormerRegister

    config = {"type": "SummaryMonitor", "summary_dir": str(tmp_path / "run"), **config}
    return MindFormerRegister.get_instance_from_cfg(config, MindFormerModuleType.CALLBACK)


@pytest.mark.parametrize(
    "imported",
    [[], ["mindformers.tools.register"], ["mindformers"]],
    ids=["nothing", "the registry", "all"],
)
def test_by_its_documented_interface_register_puts_ours_in_place_of_theirs(
    mindformers, tmp_path, imported
):
    for name in imported:
        importlib.import_module(name)
    import sightline.mindspore

    sightline.mindspore.register()
    importlib.import_module("mindformers")  # Registers nothing again.
    monitor = built(tmp_path, collect_freq=5, collect_specified_data={"collect_graph": False})
    assert (
        type(monitor) is sightline.mindspore.SummaryMonitor
        and Path(monitor.directory) == tmp_path / "run"
    )


def test_by_its_documented_interface_importing_ours_alone_changes_nothing(mindformers):
    importlib.import_module("sightline.mindspore")
    importlib.import_module("mindformers")
    from mindformers.tools.register import MindFormerModuleType, MindFormerRegister

    registered = MindFormerRegister.registry[MindFormerModuleType.CALLBACK]["SummaryMonitor"]
    assert registered.__module__ == "mindformers.core.callback.callback"


def test_without_mindformers_register_says_what_is_missing():
    import sightline.mindspore

    with pytest.raises(ModuleNotFoundError, match="mindformers"):
        sightline.mindspore.register()


def test_by_its_documented_interface_a_file_of_register_path_brings_ours(
    mindformers, tmp_path, monkeypatch
):
    page = (Path(__file__).parents[3] / "docs" / "mindspore.md").read_text()
    (tmp_path / "register").mkdir()
    (tmp_path / "register" / "sightline_callback.py").write_text(
        page.partition("<!-- sightline_callback.py -->\n```python\n")[2].partition("```")[0]
    )
    monkeypatch.setenv("REGISTER_PATH", str(tmp_path / "register"))
    importlib.import_module("mindformers")
    monitor = built(tmp_path, auto_register="sightline_callback.SummaryMonitor")
    assert type(monitor).__module__ == "sightline.mindspore.callback"
