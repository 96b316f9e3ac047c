// Lines computed from other lines: the mean of a group of runs, and one tag over another.
import { naturally } from "../core/format";
import type { Line } from "./line";
import { slotOfCurve } from "./rank_lines";
import { smooth } from "./smooth";

/**
 * One line for each group: the mean of its lines' finite values at each step, in a band of one
 * standard deviation (of the sample; no band if only one run has the step). Where no run is finite,
 * the mean is NaN. Groups are sorted by name; `slotOf` gives the color of a group.
 */
export function groupLines(
  lines: readonly Line[],
  nameOf: (line: Line) => string,
  slotOf: (name: string) => number,
  smoothing: number,
): Line[] {
  const groups = new Map<string, { name: string; members: Line[] }>();
  for (const line of lines) {
    const name = nameOf(line);
    // Lines of a second tag or curve are a group of their own.
    const beside = line.beside || line.curve ? line.label.slice(line.label.lastIndexOf(" · ")) : "";
    const group = groups.get(name + beside) ?? { name, members: [] };
    group.members.push(line);
    groups.set(name + beside, group);
  }
  const onlyName = new Set([...groups.values()].map(({ name }) => name)).size === 1;
  const slotOfGroup = (name: string, { curve }: Line) =>
    curve ? slotOfCurve(slotOf(name), curve.place, 0, onlyName) : slotOf(name);
  return [...groups]
    .sort(([a], [b]) => naturally(a, b))
    .map(([label, { name, members }]) =>
      meanOf(label, members, slotOfGroup(name, members[0]!), smoothing),
    );
}

/** The values of a group's runs at one step. */
interface AtStep {
  finite: number;
  mean: number;
  squares: number;
  /** The mean place on the x axis of all runs that have the step. */
  x: number;
  /** Runs whose value is not finite. */
  others: number;
  nan: number;
  up: number;
  down: number;
}

function addTo(at: AtStep, line: Line, i: number): void {
  const value = line.last[i]!;
  at.x += (line.x[i]! - at.x) / (at.finite + at.others + 1);
  at.nan += line.nan ? line.nan[i]! : Number(Number.isNaN(value));
  at.up += line.up ? line.up[i]! : Number(value === Infinity);
  at.down += line.down ? line.down[i]! : Number(value === -Infinity);
  if (!Number.isFinite(value)) {
    at.others++;
    return;
  }
  at.finite++;
  // Welford's: the sums of squares of large values would cancel.
  const from = value - at.mean;
  at.mean += from / at.finite;
  at.squares += from * (value - at.mean);
}

function meanOf(label: string, members: readonly Line[], slot: number, smoothing: number): Line {
  const steps = new Map<number, AtStep>();
  for (const line of members) {
    for (let i = 0; i < line.x.length; i++) {
      const step = line.steps[i]!;
      let at = steps.get(step);
      if (!at) {
        at = { finite: 0, mean: 0, squares: 0, x: 0, others: 0, nan: 0, up: 0, down: 0 };
        steps.set(step, at);
      }
      addTo(at, line, i);
    }
  }
  const order = [...steps].sort(([a], [b]) => a - b);
  const array = (of: (at: AtStep, step: number) => number) =>
    Float64Array.from(order, ([step, at]) => of(at, step));
  const mean = array((at) => (at.finite > 0 ? at.mean : NaN));
  const spread = array(({ finite, squares }) =>
    finite > 1 ? Math.sqrt(squares / (finite - 1)) : 0,
  );
  return {
    run: label,
    rank: 0,
    label: `${label} (${members.length})`,
    slot,
    ...(members[0]!.beside ? { beside: true } : {}),
    curve: members[0]!.curve,
    exact: true,
    inRange: mean.length,
    x: array((at) => at.x),
    lo: mean,
    hi: mean,
    first: mean,
    last: mean,
    count: null,
    steps: array((_, step) => step),
    times: new Float64Array(0),
    nan: array((at) => at.nan),
    up: array((at) => at.up),
    down: array((at) => at.down),
    smoothed: smoothing > 0 ? smooth(mean, smoothing) : null,
    band: {
      lo: mean.map((value, i) => value - spread[i]!),
      hi: mean.map((value, i) => value + spread[i]!),
    },
    members: {
      runs: members.length,
      finite: array((at) => at.finite),
      others: array((at) => at.others),
    },
  };
}

/**
 * Each line over the values of its run's line in `others` at the same steps. Lines without a
 * partner are omitted.
 */
export function linesAgainst(lines: readonly Line[], others: readonly Line[]): Line[] {
  const of = new Map(others.map((line) => [`${line.run}\n${line.rank}`, line]));
  return lines.flatMap((line) => {
    const other = of.get(`${line.run}\n${line.rank}`);
    if (!other) return [];
    const at = new Map(Array.from(other.steps, (step, i) => [step, other.last[i]!]));
    const both = Array.from({ length: line.x.length }, (_, i) => i).filter((i) =>
      Number.isFinite(at.get(line.steps[i]!)),
    );
    if (both.length === 0) return [];
    const pick = (array: Float64Array) => Float64Array.from(both, (i) => array[i]!);
    const value = pick(line.last);
    return [
      {
        ...line,
        exact: true,
        x: Float64Array.from(both, (i) => at.get(line.steps[i]!)!),
        lo: value,
        hi: value,
        first: value,
        last: value,
        count: null,
        steps: pick(line.steps),
        times: new Float64Array(0),
        nan: null,
        up: null,
        down: null,
        smoothed: line.smoothed && pick(line.smoothed),
      },
    ];
  });
}

export interface Statistics {
  count: number;
  least: number;
  leastAt: number;
  most: number;
  mostAt: number;
  mean: number;
  deviation: number;
  last: number;
}

/**
 * Statistics of a line's finite values. Mean and (sample) standard deviation are NaN if the line
 * has columns.
 */
export function statisticsOf(line: Line): Statistics {
  const all = {
    count: 0,
    least: Infinity,
    leastAt: NaN,
    most: -Infinity,
    mostAt: NaN,
    mean: 0,
    deviation: 0,
    last: line.last[line.last.length - 1] ?? NaN,
  };
  let squares = 0;
  for (let i = 0; i < line.x.length; i++) {
    const [lo, hi] = [line.lo[i]!, line.hi[i]!];
    if (lo < all.least && lo > -Infinity) [all.least, all.leastAt] = [lo, line.steps[i]!];
    if (hi > all.most && hi < Infinity) [all.most, all.mostAt] = [hi, line.steps[i]!];
    if (!Number.isFinite(lo)) continue;
    all.count += line.count ? line.count[i]! - line.nan![i]! - line.up![i]! - line.down![i]! : 1;
    const from = lo - all.mean;
    all.mean += from / all.count;
    squares += from * (lo - all.mean);
  }
  if (!line.exact || all.count === 0) return { ...all, mean: NaN, deviation: NaN };
  return { ...all, deviation: all.count > 1 ? Math.sqrt(squares / (all.count - 1)) : 0 };
}
