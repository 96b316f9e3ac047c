// Turns the server's series into lines to draw. No pixel column loses its smallest or largest
// value.

import type { Series } from "../core/api_series";
import { type Axis, isCounted } from "../core/view_state";
import type { Scale } from "./scale";
import { smooth } from "./smooth";

/**
 * One run's values along the x axis: points, or columns with all that the renderer needs of each.
 */
export interface Line {
  run: string;
  rank: number;
  label: string;
  slot: number;
  /** The line is of another tag on the same chart (validation): thinner, with dashes and dots. */
  beside?: boolean | undefined;
  /** Of the curves of a main tag on one chart: its key, and its place among them. */
  curve?: { key: string; place: number } | undefined;
  exact: boolean;
  /** The number of recorded points in the range, of which fewer may be here. */
  inRange: number;
  /** Steps from which the training was resumed. */
  resumed?: readonly number[];
  x: Float64Array;
  /** For exact points all four are the value. */
  lo: Float64Array;
  hi: Float64Array;
  first: Float64Array;
  last: Float64Array;
  count: Float64Array | null;
  steps: Float64Array;
  /** Empty if they were not requested. */
  times: Float64Array;
  nan: Float64Array | null;
  /** Counts of positive and negative infinity. */
  up: Float64Array | null;
  down: Float64Array | null;
  smoothed: Float64Array | null;
  /** Whether every value is known to be finite. */
  finite?: boolean;
  /** Of a median of ranks: how many there are. Its band is their exact range. */
  ranks?: number;
  /** Whether the line is of one of these ranks, so that its values are in the band already. */
  inBand?: boolean;
  /** The standard deviation around a mean. */
  band?: { lo: Float64Array; hi: Float64Array };
  /** Of a mean: the runs of its group, and at each step those with a finite and with another value. */
  members?: { runs: number; finite: Float64Array; others: Float64Array };
}

function middle(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => (value + b[i]!) / 2);
}

function allFinite(values: Float64Array): boolean {
  for (const value of values) if (value - value !== 0) return false;
  return true;
}

/** `firstTime`: the run's first time, where the relative axis starts. */
export function toLine(
  series: Series,
  axis: Axis,
  firstTime: number,
  label: string,
  slot: number,
  smoothing: number,
): Line | null {
  const { run, rank, inRange, resumed, data } = series;
  if (!data) return null;
  const onAxis = (steps: Float64Array, times: Float64Array) =>
    isCounted(axis) ? steps : axis === "time" ? times : times.map((time) => time - firstTime);
  // Written out: spreading objects takes ten times as long, and there may be thousands of lines.
  if (data.form === "points") {
    const { step, time, value } = data;
    return {
      run,
      rank,
      label,
      slot,
      inRange,
      resumed,
      exact: true,
      x: onAxis(step, time),
      lo: value,
      hi: value,
      first: value,
      last: value,
      count: null,
      steps: step,
      times: time,
      nan: null,
      up: null,
      down: null,
      smoothed: smoothing > 0 ? smooth(value, smoothing) : null,
      finite: allFinite(value),
    };
  }
  const steps = middle(data.firstStep, data.lastStep);
  const times = middle(data.firstTime, data.lastTime);
  return {
    run,
    rank,
    label,
    slot,
    inRange,
    resumed,
    exact: false,
    x: onAxis(steps, times),
    lo: data.min,
    hi: data.max,
    first: data.first,
    last: data.last,
    count: data.count,
    steps,
    times,
    nan: data.nan,
    up: data.positiveInf,
    down: data.negativeInf,
    smoothed: smoothing > 0 ? smooth(data.last, smoothing) : null,
  };
}

/** Cuts a range out of lines of exact points. x must ascend. */
export function within(lines: readonly Line[], [from, to]: readonly [number, number]): Line[] {
  // Lines with the same steps share their part of them, too.
  let x: Float64Array | null = null;
  let [begin, end] = [0, 0];
  let steps: Float64Array = new Float64Array(0);
  return lines.map((line) => {
    if (line.x !== x) {
      x = line.x;
      begin = firstOf(x, (at) => at >= from);
      end = firstOf(x, (at) => at > to);
      steps = x.subarray(begin, end);
    }
    const values = line.lo.subarray(begin, end);
    return {
      run: line.run,
      rank: line.rank,
      label: line.label,
      slot: line.slot,
      beside: line.beside,
      curve: line.curve,
      inRange: end - begin,
      resumed: line.resumed ?? [],
      exact: true,
      x: steps,
      lo: values,
      hi: values,
      first: values,
      last: values,
      count: null,
      steps,
      times: line.times.length > 0 ? line.times.subarray(begin, end) : line.times,
      nan: null,
      up: null,
      down: null,
      smoothed: line.smoothed?.subarray(begin, end) ?? null,
      finite: line.finite === true,
    };
  });
}

/** The first index for which `holds` is true; it must stay true after that. */
function firstOf(x: Float64Array, holds: (at: number) => boolean): number {
  let [low, high] = [0, x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(x[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export interface Extent {
  xLo: number;
  xHi: number;
  lo: number;
  hi: number;
  least: number;
}

/**
 * The finite values that lie far out: more than three times the distance of the quartiles beyond
 * them (Tukey's outer fences). Null where the quartiles are equal, or nothing lies there.
 */
export function outliersOf(
  lines: readonly Line[],
  range: readonly [number, number] | null,
): { lo: number; hi: number; count: number } | null {
  const values: number[] = [];
  for (const { x, lo, hi, exact } of lines) {
    for (let i = 0; i < x.length; i++) {
      if (range && (x[i]! < range[0] || x[i]! > range[1])) continue;
      if (Number.isFinite(lo[i]!)) values.push(lo[i]!);
      if (!exact && Number.isFinite(hi[i]!)) values.push(hi[i]!);
    }
  }
  if (values.length < 8) return null;
  const sorted = Float64Array.from(values).sort();
  const quartile = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  const [a, b] = [quartile(0.25), quartile(0.75)];
  const [lo, hi] = [a - 3 * (b - a), b + 3 * (b - a)];
  const inside = sorted.filter((value) => value >= lo && value <= hi);
  const count = sorted.length - inside.length;
  return a === b || count === 0 ? null : { lo: inside[0]!, hi: inside[inside.length - 1]!, count };
}

/** The extent that the axes must contain; `least` is the smallest positive value. */
export function extentOf(lines: readonly Line[], range: readonly [number, number] | null): Extent {
  const [from, to] = range ?? [-Infinity, Infinity];
  // Hoisted: this runs for every point of every line on each pan.
  let [xLo, xHi, least, most, positive] = [Infinity, -Infinity, Infinity, -Infinity, Infinity];
  let seen: Float64Array | null = null;
  let inside = false;
  for (const line of lines) {
    const { x } = line;
    const { lo, hi } = line.band ?? line;
    if (x !== seen) {
      seen = x;
      inside = true;
      for (const at of x) {
        if (at < from || at > to) inside = false;
        else {
          if (at < xLo) xLo = at;
          if (at > xHi) xHi = at;
        }
      }
    }
    for (let i = 0; i < x.length; i++) {
      if (!inside && (x[i]! < from || x[i]! > to)) continue;
      const a = lo[i]!;
      const b = hi[i]!;
      if (a < least && a > -Infinity) least = a;
      if (b > most && b < Infinity) most = b;
      if (a > 0) {
        if (a < positive) positive = a;
      } else if (b > 0 && b < positive) positive = b;
    }
  }
  return { xLo, xHi, lo: least, hi: most, least: positive };
}

export interface NotFinite {
  nan: number;
  infinite: number;
  marks: { x: number; up: boolean; nan: boolean }[];
}

/** Where values are NaN or infinite, and how many. */
export function notFinite(lines: readonly Line[]): NotFinite {
  const found: NotFinite = { nan: 0, infinite: 0, marks: [] };
  const note = (x: number, nan: number, up: number, down: number) => {
    if (nan + up + down === 0) return;
    found.nan += nan;
    found.infinite += up + down;
    if (nan + up > 0) found.marks.push({ x, up: true, nan: nan > 0 });
    if (down > 0) found.marks.push({ x, up: false, nan: false });
  };
  for (const { x, lo, exact, nan, up, down, finite } of lines) {
    if (finite) continue;
    for (let i = 0; i < x.length; i++) {
      const value = lo[i]!;
      // Means count the values of their runs.
      if (!exact || nan) note(x[i]!, nan?.[i] ?? 0, up?.[i] ?? 0, down?.[i] ?? 0);
      else if (!(value - value === 0))
        note(
          x[i]!,
          Number(Number.isNaN(value)),
          Number(value === Infinity),
          Number(value === -Infinity),
        );
    }
  }
  return found;
}

/** Where on the x axis a line's training was resumed. */
export function resumedAt({ resumed = [], steps, x }: Line, axis: Axis): number[] {
  if (axis === "step") return [...resumed];
  if (axis === "samples") return []; // At which of them is not known.
  return resumed.flatMap((step) => {
    const first = steps.findIndex((one) => one >= step);
    if (first < 0) return [];
    // The step may have been recorded before, too: the newest time is that of the new attempt.
    let at = x[first]!;
    for (let i = first + 1; i < x.length && steps[i] === steps[first]; i++)
      at = Math.max(at, x[i]!);
    return [at];
  });
}

/** Index of the value that is nearest on the x axis, or -1. */
export function nearest(x: Float64Array, at: number): number {
  let best = -1;
  let distance = Infinity;
  // Times may decrease where a run was resumed, so the order is not relied on.
  for (let i = 0; i < x.length; i++) {
    const d = Math.abs(x[i]! - at);
    if (d < distance) {
      distance = d;
      best = i;
    }
  }
  return best;
}

type Path = Pick<Path2D, "moveTo" | "lineTo">;

/** Where a path has a point without a line to it: x and y in pixels. Each needs a dot. */
export type Dots = readonly (readonly [number, number])[];

/** Passes a path on, and finds its parts that have no length: a stroke would not show them. */
class Pen {
  readonly dots: [number, number][] = [];
  private x = NaN;
  private y = NaN;
  private open = false;
  private still = false;
  constructor(private readonly path: Path) {}
  to(x: number, y: number): void {
    if (this.open) {
      this.path.lineTo(x, y);
      if (x !== this.x || y !== this.y) this.still = false;
      return;
    }
    this.path.moveTo(x, y);
    [this.x, this.y, this.open, this.still] = [x, y, true, true];
  }
  lift(): void {
    if (this.open && this.still) this.dots.push([this.x, this.y]);
    this.open = false;
  }
}

/**
 * The path of a line: through every point, or, of columns, from each one's first value over its
 * smallest and largest to its last. It is cut where nothing finite is. Returns the points that
 * stand alone.
 */
export function traceLine(path: Path, line: Line, x: Scale, y: Scale): Dots {
  if (line.exact) return tracePoints(path, line.x, line.lo, x, y);
  const { lo, hi, first, last } = line;
  const pen = new Pen(path);
  const to = (px: number, value: number) => {
    const py = y.at(value);
    if (Number.isFinite(py)) pen.to(px, py);
  };
  for (let i = 0; i < line.x.length; i++) {
    // A log axis cannot show a minimum that is not positive, but still the largest value.
    if (!Number.isFinite(lo[i]!) || !Number.isFinite(y.at(hi[i]!))) {
      pen.lift();
      continue;
    }
    const px = x.at(line.x[i]!);
    to(px, first[i]!);
    to(px, lo[i]!);
    to(px, hi[i]!);
    to(px, last[i]!);
    if (line.nan![i]! > 0 && !Number.isFinite(last[i]!)) pen.lift();
  }
  pen.lift();
  return pen.dots;
}

/** The outline of a mean's band, in parts where the mean is absent in between. */
export function traceBand(
  path: Pick<Path2D, "moveTo" | "lineTo" | "closePath">,
  line: Line,
  x: Scale,
  y: Scale,
): void {
  const { lo, hi } = line.band!;
  const shown = (value: number) => Number.isFinite(y.at(value));
  // A log axis cannot show a lower edge that is not positive, so the mean takes its place.
  const low = (i: number) => (shown(lo[i]!) ? lo[i]! : line.lo[i]!);
  for (let begin = 0; begin < line.x.length; begin++) {
    let end = begin;
    while (end < line.x.length && shown(hi[end]!) && shown(low(end))) end++;
    if (end === begin) continue;
    path.moveTo(x.at(line.x[begin]!), y.at(hi[begin]!));
    for (let i = begin + 1; i < end; i++) path.lineTo(x.at(line.x[i]!), y.at(hi[i]!));
    for (let i = end - 1; i >= begin; i--) path.lineTo(x.at(line.x[i]!), y.at(low(i)));
    path.closePath();
    begin = end;
  }
}

/** Like traceLine, along the smoothed values. */
export function traceSmoothed(path: Path, line: Line, x: Scale, y: Scale): Dots {
  return tracePoints(path, line.x, line.smoothed!, x, y);
}

function tracePoints(path: Path, at: Float64Array, values: Float64Array, x: Scale, y: Scale): Dots {
  const pen = new Pen(path);
  for (let i = 0; i < at.length; i++) {
    const py = y.at(values[i]!);
    if (Number.isFinite(py)) pen.to(x.at(at[i]!), py);
    else pen.lift();
  }
  pen.lift();
  return pen.dots;
}
