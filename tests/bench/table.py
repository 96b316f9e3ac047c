"""One line a figure: ours, what it must reach, a peer's and how many times that ours is."""

from dataclasses import dataclass, field


@dataclass
class Row:
    what: str
    unit: str
    ours: float
    reach: float | None = None  # None: printed only.
    at_most: bool = False  # `reach` is a bound from above.
    peer: float | None = None
    peer_name: str = ""

    @property
    def missed(self) -> bool:
        if self.reach is None:
            return False
        return self.ours > self.reach if self.at_most else self.ours < self.reach


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


@dataclass
class Table:
    rows: list[Row] = field(default_factory=list)

    def text(self) -> str:
        """Markdown, aligned."""
        lines = [["what", "unit", "ours", "must reach", "", "peer", "", "ratio"]]
        for row in self.rows:
            bound = (
                "" if row.reach is None else ("<= " if row.at_most else ">= ") + _figure(row.reach)
            )
            verdict = "" if row.reach is None else "MISSED" if row.missed else "reached"
            ratio = f"{row.ours / row.peer:,.1f} x" if row.peer else ""
            lines.append(
                [
                    row.what,
                    row.unit,
                    _figure(row.ours),
                    bound,
                    verdict,
                    _figure(row.peer),
                    row.peer_name,
                    ratio,
                ]
            )
        widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
        right = {2, 3, 5, 7}
        aligned = [
            " | ".join(
                cell.rjust(width) if column in right else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(line, widths))
            )
            for line in lines
        ]
        rule = " | ".join("-" * width for width in widths)
        return "\n".join(f"| {line} |" for line in [aligned[0], rule, *aligned[1:]])

    @property
    def missed(self) -> list[Row]:
        return [row for row in self.rows if row.missed]
