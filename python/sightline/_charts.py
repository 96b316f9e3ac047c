"""Tables of runs and small charts (SVG) for notebooks. Recorded text is escaped; nothing is loaded or run."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sightline._series import Scalars

WIDTH, HEIGHT = 160, 40


def chart(scalars: Scalars, width: int = WIDTH, height: int = HEIGHT) -> str:
    """A chart in the colour of the text, with a line from the minimum to the maximum of each column of pixels: no spike
    is lost.
    """
    columns = scalars._stored.columns(width)
    finite = [(i, low, high) for i, (_, _, low, high) in enumerate(columns) if not math.isnan(low)]
    label = f"<title>{escape(scalars.tag)}</title>"
    if not finite:
        return f'<svg width="{width}" height="{height}" role="img">{label}</svg>'
    bottom, top = min(low for _, low, _ in finite), max(high for _, _, high in finite)
    # Halves, so that the difference of two large numbers stays finite.
    scale = (height - 2) / (top / 2 - bottom / 2) / 2 if top > bottom else 0.0

    def y(value: float) -> str:
        return f"{height - 1 - (value / 2 - bottom / 2) * 2 * scale if scale else height / 2:.1f}"

    def x(column: int) -> str:
        return f"{column * (width - 1) / max(1, len(columns) - 1):.1f}"

    path = " ".join(
        f"{'L' if n else 'M'}{x(i)} {y(low)}L{x(i)} {y(high)}"
        for n, (i, low, high) in enumerate(finite)
    )
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">{label}'
        f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1"/></svg>'
    )


def figure(scalars: Scalars) -> str:
    return (
        f"<div><b>{escape(scalars.tag)}</b> {len(scalars)} points, steps {scalars.steps[0]} to {scalars.steps[-1]}, "
        f"last {number(scalars.values[-1])}<br>{chart(scalars, 480, 120)}</div>"
    )


def number(value: float) -> str:
    return f"{float(value):.6g}"


def row(cells: Iterable[str], tag: str = "td") -> str:
    return (
        "<tr>"
        + "".join(f'<{tag} style="text-align:left">{cell}</{tag}>' for cell in cells)
        + "</tr>"
    )


def table(header: Sequence[str], rows: Iterable[Sequence[str]], more: int = 0) -> str:
    """A table of cells, which are HTML. `more` is the number of rows that are left out."""
    body = "".join(row(cells) for cells in rows)
    rest = f"<p>... and {more} more</p>" if more > 0 else ""
    return f"<table><thead>{row(header, 'th')}</thead><tbody>{body}</tbody></table>{rest}"


def pairs(of: dict[str, Any], most: int = 12) -> str:
    shown = [
        f"{escape(name)}: {escape(str(value)[:80])}" for name, value in list(of.items())[:most]
    ]
    return ", ".join(shown + ["..."] * (len(of) > most))


def player(encoded: bytes, content_type: str) -> str:
    data = base64.b64encode(encoded).decode()
    return f'<audio controls src="data:{escape(content_type or "audio/wav", quote=True)};base64,{data}"></audio>'
