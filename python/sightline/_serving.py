"""sightline.serve: runs the dashboard for a program or a notebook."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from html import escape
from types import TracebackType

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]

# Ends the server when its standard input ends: at stop(), and whenever this process ends.
_SCRIPT = '"$@" & exec >&-; cat >/dev/null; kill $!; wait $!'


class Server:
    """A dashboard that runs in the background, until `stop` or the end of this process. In a notebook it shows itself."""

    def __init__(
        self,
        process: subprocess.Popen[str],
        state: tempfile.TemporaryDirectory[str],
        url: str,
        height: int | None,
    ) -> None:
        self._process, self._state, self._url, self._height = process, state, url, height
        atexit.register(self.stop)

    @property
    def url(self) -> str:
        """The address to open. It contains the token."""
        return self._url

    def stop(self) -> None:
        """Ends the server. A second call does nothing."""
        atexit.unregister(self.stop)
        self._process.communicate()  # Closes its standard input.
        self._state.cleanup()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<Server {self._url}{'' if self._process.poll() is None else ', stopped'}>"

    def _repr_html_(self) -> str:
        address = escape(self._url, quote=True)
        if self._height is None:
            return f'<a href="{address}" target="_blank">{address}</a>'
        return (
            f'<iframe src="{address}" style="width:100%;height:{self._height}px;border:0"></iframe>'
        )


def serve(
    roots: _Path | Sequence[_Path],
    *,
    port: int = 0,
    allow_frame: str | None = None,
    height: int = 720,
) -> Server:
    """Shows the runs in and below a directory, or several, in the dashboard: starts `sightline serve`
    (docs/dashboard.md) in the background, for this machine only.

    `port` 0 is any free port. `allow_frame` is the origin of the notebook's page, such as "http://localhost:8888". With
    it, a cell that ends with the server shows the dashboard in a frame that is `height` pixels high; without it, a
    link. The token in the address is valid for this server only. Raises RuntimeError, with the server's message, if it
    does not start.
    """
    paths = [roots] if isinstance(roots, (str, bytes, os.PathLike)) else list(roots)
    command = [_program(), "serve", *map(os.fsdecode, paths), "--port", str(port)]
    if allow_frame is not None:
        command += ["--allow-frame", allow_frame]
    state = tempfile.TemporaryDirectory(prefix="sightline_")
    process = subprocess.Popen(
        ["/bin/sh", "-c", _SCRIPT, "sightline", *command],
        env={**os.environ, "XDG_STATE_HOME": state.name},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("http"):
            return Server(process, state, line.strip(), height if allow_frame is not None else None)
    _, said = process.communicate()
    state.cleanup()
    raise RuntimeError(f"the dashboard did not start: {said.strip()}")


def _program() -> str:
    """The program `sightline` that was installed with this package, else the one on PATH."""
    beside = os.pathsep.join((sysconfig.get_path("scripts"), os.path.dirname(sys.executable)))
    program = shutil.which("sightline", path=beside) or shutil.which("sightline")
    if program is None:
        raise RuntimeError(
            "the program sightline, which comes with this package, is neither next to Python nor on PATH"
        )
    return program
