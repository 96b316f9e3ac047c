// What the cursor's table says of each line.
import { formatCount, formatValue } from "../core/format";
import { t } from "../core/text";
import { type Line, nearest } from "./line";

export interface CursorRow {
  line: Line;
  /** The index of the value that is nearest to the cursor. */
  i: number;
  /** The line's label, or of a mean its group and the number of runs that it is of at this step. */
  name: string;
  value: number;
  text: string;
  /** From the pointer, in pixels; infinite if the value has no place in the chart. */
  distance: number;
  /** Whether the value is at another place than the nearest one of all lines. */
  elsewhere: boolean;
}

function textOf(line: Line, i: number, value: number): string {
  const others = line.members?.others[i] ?? 0;
  if (others > 0) {
    const nan = line.nan![i] === others && !line.up![i] && !line.down![i];
    const missing = t(nan ? "nanMarks" : "notFinite", others);
    return `${Number.isNaN(value) ? "–" : formatValue(value, 6)}${t("listComma")}${missing}`;
  }
  if (line.ranks !== undefined)
    return `${formatValue(value, 6)} (${formatValue(line.band!.lo[i]!)} … ${formatValue(line.band!.hi[i]!)})`;
  const many = line.count !== null && line.count[i]! > 1 && !line.smoothed;
  return many ? `${formatValue(line.lo[i]!)} … ${formatValue(line.hi[i]!)}` : formatValue(value, 6);
}

/** The values of every line at a place on the x axis. `distanceOf`: of a value from the pointer. */
export function rowsAt(
  lines: readonly Line[],
  at: number,
  distanceOf: (value: number) => number = () => Infinity,
): CursorRow[] {
  const found = lines.map((line) => ({ line, i: nearest(line.x, at) })).filter(({ i }) => i >= 0);
  const offsets = found.map(({ line, i }) => Math.abs(line.x[i]! - at));
  const least = offsets.reduce((a, b) => Math.min(a, b), Infinity);
  return found.map(({ line, i }, k) => {
    const value = line.smoothed ? line.smoothed[i]! : line.last[i]!;
    const { members } = line;
    const distance = distanceOf(value);
    return {
      line,
      i,
      name: members
        ? t("runsAtStep", line.run, members.finite[i]!, members.runs)
        : line.ranks !== undefined
          ? t("ranksCounted", line.label, formatCount(line.ranks))
          : line.label,
      value,
      text: textOf(line, i, value),
      distance: Number.isNaN(distance) ? Infinity : distance,
      elsewhere: offsets[k]! > least,
    };
  });
}

/** Values that are not numbers come last. */
export function greatestFirst(a: CursorRow, b: CursorRow): number {
  if (Number.isNaN(a.value) || Number.isNaN(b.value))
    return Number(Number.isNaN(a.value)) - Number(Number.isNaN(b.value));
  return a.value === b.value ? 0 : b.value - a.value;
}

export function nearestFirst(a: CursorRow, b: CursorRow): number {
  return a.distance === b.distance ? greatestFirst(a, b) : a.distance - b.distance;
}
