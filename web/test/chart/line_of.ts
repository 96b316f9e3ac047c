import { groupLines } from "../../src/chart/derived";
import type { Line } from "../../src/chart/line";

/** A line of exact points on the axis of steps. */
export function line(run: string, steps: readonly number[], values: readonly number[]): Line {
  const value = Float64Array.from(values);
  const step = Float64Array.from(steps);
  return {
    run,
    rank: 0,
    label: run,
    slot: 0,
    exact: true,
    inRange: steps.length,
    x: step,
    lo: value,
    hi: value,
    first: value,
    last: value,
    count: null,
    steps: step,
    times: new Float64Array(0),
    nan: null,
    up: null,
    down: null,
    smoothed: null,
  };
}

/** The means of the lines whose runs have the same first letter. */
export const means = (lines: readonly Line[], smoothing = 0) =>
  groupLines(
    lines,
    ({ run }) => run[0]!,
    () => 0,
    smoothing,
  );
