// Percentiles of histograms over steps, interpolated within the buckets.
import type { Histogram } from "../core/api";
import { readTokens } from "../core/colors";
import { labelFont } from "./draw";
import { linearScale, linearTicks, padded, type Scale, stepLabels, tickLabels } from "./scale";

export const shares = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1] as const;

/** The value below which each share of the counts lies. Null: nothing was counted. */
export function percentilesOf(
  { edges, counts }: Pick<Histogram, "edges" | "counts">,
  wanted: readonly number[] = shares,
): number[] | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (!(total > 0)) return null;
  let bucket = 0;
  let below = 0;
  return wanted.map((share) => {
    const goal = share * total;
    // Empty buckets are skipped, except that the last share is at the last bucket's end.
    while (bucket < counts.length - 1 && (counts[bucket] === 0 || below + counts[bucket]! < goal)) {
      if (below + counts[bucket]! >= total) break;
      below += counts[bucket]!;
      bucket++;
    }
    const [lo, hi] = [edges[bucket]!, edges[bucket + 1]!];
    return lo + (hi - lo) * Math.min(1, Math.max(0, (goal - below) / (counts[bucket]! || 1)));
  });
}

/**
 * Histograms and where to draw them. `chosen`: the index of the highlighted one, or -1. `bare`: no
 * axis and labels.
 */
export interface Picture {
  context: CanvasRenderingContext2D;
  values: readonly Histogram[];
  width: number;
  height: number;
  color: string;
  chosen: number;
  bare?: boolean;
}

function drawAxes(context: CanvasRenderingContext2D, x: Scale, y: Scale, area: Area): void {
  const { left, right, top, bottom } = area;
  context.font = labelFont;
  context.fillStyle = readTokens().muted;
  context.textAlign = "right";
  context.textBaseline = "middle";
  const ticks = linearTicks(y.lo, y.hi, Math.max(3, Math.floor((bottom - top) / 36)));
  tickLabels(ticks).forEach((label, i) => context.fillText(label, left - 6, y.at(ticks[i]!)));
  context.textAlign = "center";
  context.textBaseline = "top";
  const wanted = Math.max(2, Math.floor((right - left) / 60));
  const steps = linearTicks(x.lo, x.hi, wanted).filter(Number.isInteger);
  stepLabels(steps).forEach((label, i) => context.fillText(label, x.at(steps[i]!), bottom + 6));
}

interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Draws the outermost values, the bands from the 5th to the 95th and from the 25th to the 75th
 * percentile, and the median. Returns the axis of the steps.
 */
export function drawPercentiles({ context, values, width, height, color, chosen }: Picture): Scale {
  const rows = values.map((value) => percentilesOf(value));
  const all = rows.flatMap((row) => row ?? []);
  const [lo, hi] = padded(
    all.reduce((a, b) => Math.min(a, b), Infinity),
    all.reduce((a, b) => Math.max(a, b), -Infinity),
  );
  const area = { left: 56, right: width - 12, top: 6, bottom: height - 22 };
  const steps = values.map((value) => value.step);
  const first = steps[0] ?? 0;
  const last = steps[steps.length - 1] ?? 0;
  const room = first === last ? 1 : 0;
  const x = linearScale(first - room, last + room, area.left, area.right);
  const y = linearScale(lo, hi, area.bottom, area.top);
  drawAxes(context, x, y, area);
  context.fillStyle = color;
  context.strokeStyle = color;
  for (const [a, b, alpha] of [
    [0, 6, 0.1],
    [1, 5, 0.2],
    [2, 4, 0.35],
  ] as const) {
    const path = new Path2D();
    rows.forEach((row, i) => row && path.lineTo(x.at(steps[i]!), y.at(row[b]!)));
    for (let i = rows.length - 1; i >= 0; i--)
      if (rows[i]) path.lineTo(x.at(steps[i]!), y.at(rows[i]![a]!));
    path.closePath();
    context.globalAlpha = alpha;
    context.fill(path);
  }
  context.globalAlpha = 1;
  const median = new Path2D();
  rows.forEach((row, i) => row && median.lineTo(x.at(steps[i]!), y.at(row[3]!)));
  context.lineWidth = 1.5;
  context.stroke(median);
  if (chosen >= 0) {
    context.strokeStyle = readTokens().text;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(Math.round(x.at(steps[chosen]!)) + 0.5, area.top);
    context.lineTo(Math.round(x.at(steps[chosen]!)) + 0.5, area.bottom);
    context.stroke();
  }
  return x;
}
