"""Python imports this when it starts below `sightline run`: once a writer of event files is imported that
sightline.capture() knows, it is called. Until then nothing of Sightline is imported, and no error of it ever disturbs a
program. It runs in whatever Python the program has, 3.6 or newer.
"""

import os
import sys


class _Finder:
    """The first of the finders; it finds nothing itself, but is asked for every module that is imported."""

    waits = True

    def find_spec(self, name, path=None, target=None):
        if not self.waits or name not in ("tensorboardX.writer", "torch.utils.tensorboard.writer"):
            return None
        self.waits = False
        try:
            import sightline

            sightline.capture()
        except Exception:  # It is not installed for this Python, or cannot be.
            return None
        # The import has begun without the finder that was just added.
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None) if finder is not self else None
            spec = find(name, path, target) if find else None
            if spec is not None:
                return spec
        return None


if sys.version_info >= (3, 6) and os.environ.get("SIGHTLINE_CAPTURE", "0") != "0":
    sys.meta_path.insert(0, _Finder())

# Programs see the path that they would have, and the sitecustomize that this one hides is imported in its place.
_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [_path for _path in sys.path if os.path.abspath(_path) != _here]
_this = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # noqa: F401
except ImportError:
    if "sitecustomize" not in str(sys.exc_info()[1]):
        raise
finally:
    sys.modules.setdefault("sitecustomize", _this)
