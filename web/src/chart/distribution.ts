// Draws histograms over steps as ridges, overlaid lines, a heat map, or percentiles.
import type { Histogram } from "../core/api";
import { css, readTokens, viridisOf } from "../core/colors";
import { labelFont } from "./draw";
import { drawPercentiles, type Picture } from "./percentiles";
import { linearScale, linearTicks, type Scale, stepLabels, tickLabels } from "./scale";

export type Mode = "ridges" | "heat" | "overlay" | "percentiles";

const ridgeGap = 4;

/** The axis of a picture, and the index of the histogram at a place in it. */
export interface Placed {
  x: Scale;
  hit: (x: number, y: number) => number;
}

/** The height of each bucket: its count divided by its width, so that widths may differ. */
export function densities(histogram: Pick<Histogram, "edges" | "counts">): number[] {
  const widths = histogram.counts.map((_, i) => histogram.edges[i + 1]! - histogram.edges[i]!);
  const positive = widths.filter((width) => width > 0);
  const typical = positive.length > 0 ? Math.min(...positive) : 1;
  return histogram.counts.map((count, i) => count / (widths[i]! > 0 ? widths[i]! : typical));
}

function rangeOf(values: readonly Histogram[]): [number, number] {
  let lo = Infinity;
  let hi = -Infinity;
  for (const { edges, counts } of values) {
    counts.forEach((count, i) => {
      if (count === 0) return;
      lo = Math.min(lo, edges[i]!);
      hi = Math.max(hi, edges[i + 1]!);
    });
  }
  if (!(lo <= hi)) return [-1, 1];
  return lo === hi ? [lo - 0.5, hi + 0.5] : [lo, hi];
}

function drawAxis(context: CanvasRenderingContext2D, x: Scale, bottom: number): void {
  const tokens = readTokens();
  context.font = labelFont;
  context.fillStyle = tokens.muted;
  context.textBaseline = "top";
  context.textAlign = "center";
  const ticks = linearTicks(x.lo, x.hi, 5);
  tickLabels(ticks).forEach((label, i) => context.fillText(label, x.at(ticks[i]!), bottom + 6));
}

function stepsLabels(
  context: CanvasRenderingContext2D,
  values: readonly Histogram[],
  at: (i: number) => number,
  left: number,
): void {
  context.fillStyle = readTokens().muted;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const labels = stepLabels(values.map((value) => value.step));
  let last = Infinity;
  for (let i = values.length - 1; i >= 0; i--) {
    const y = at(i);
    if (Math.abs(y - last) < 14) continue;
    context.fillText(labels[i]!, left, y);
    last = y;
  }
}

const top = 4;

/** A picture's frame, and of each histogram the heights of its buckets, from 0 to 1. */
interface Laid extends Picture {
  x: Scale;
  left: number;
  right: number;
  bottom: number;
  heights: readonly (readonly number[])[];
}

function layOut(picture: Picture, labels: boolean): Laid {
  const { values, width, height, bare = false } = picture;
  const left = bare ? 0 : 12;
  const right = width - (bare ? 0 : labels ? 52 : 12);
  const all = values.map(densities);
  const peaks = all.map((list) => Math.max(0, ...list)).sort((a, b) => a - b);
  // One histogram that is much narrower than the others would flatten them all, so it is cut at the
  // top.
  const middle = peaks[peaks.length >> 1]!;
  const highest = Math.max(Math.min(peaks[peaks.length - 1]!, 3 * middle), 1e-300);
  return {
    ...picture,
    x: linearScale(...rangeOf(values), left, right),
    left,
    right,
    bottom: height - (bare ? 1 : 22),
    heights: all.map((list) => list.map((density) => Math.min(1, density / highest))),
  };
}

function drawHeat(laid: Laid): Placed {
  const { context, values, x, left, right, bottom, heights, chosen } = laid;
  const row = (bottom - top) / values.length;
  values.forEach(({ edges }, i) => {
    heights[i]!.forEach((share, k) => {
      if (share <= 0) return;
      context.fillStyle = css(viridisOf(Math.sqrt(share)));
      const from = x.at(edges[k]!);
      context.fillRect(
        from,
        top + i * row,
        Math.max(1, x.at(edges[k + 1]!) - from + 0.5),
        row + 0.5,
      );
    });
  });
  if (chosen >= 0) {
    context.strokeStyle = readTokens().text;
    context.strokeRect(left, top + chosen * row, right - left, row);
  }
  stepsLabels(context, values, (i) => top + (i + 0.5) * row, right + 6);
  return { x, hit: (_, y) => Math.floor((y - top) / row) };
}

/** The outline of one histogram above `ground`, at most `rise` high. */
function outlineOf({ values, x, heights }: Laid, i: number, ground: number, rise: number): Path2D {
  const { edges } = values[i]!;
  const path = new Path2D();
  path.moveTo(x.at(edges[0] ?? 0), ground);
  heights[i]!.forEach((share, k) => {
    path.lineTo(x.at(edges[k]!), ground - share * rise);
    path.lineTo(x.at(edges[k + 1]!), ground - share * rise);
  });
  path.lineTo(x.at(edges[edges.length - 1] ?? 0), ground);
  return path;
}

/** How late a histogram is among the others, from 0 to 1. */
const lateness = ({ values }: Laid, i: number) => (values.length > 1 ? i / (values.length - 1) : 1);

function strokeOutline({ context, color, chosen }: Laid, path: Path2D, i: number, alpha: number) {
  context.globalAlpha = alpha;
  context.strokeStyle = i === chosen ? readTokens().text : color;
  context.lineWidth = i === chosen ? 2 : 1;
  context.stroke(path);
  context.globalAlpha = 1;
}

function drawOverlay(laid: Laid): Placed {
  const { values, x, bottom, chosen } = laid;
  values.forEach((_, i) => {
    const faint = chosen >= 0 && chosen !== i;
    const path = outlineOf(laid, i, bottom, bottom - 8);
    strokeOutline(laid, path, i, faint ? 0.15 : 0.35 + 0.65 * lateness(laid, i));
  });
  return { x, hit: () => values.length - 1 };
}

function drawRidges(laid: Laid): Placed {
  const { context, values, x, right, bottom, color, chosen, bare } = laid;
  const rise = Math.min(bottom * 0.4, 90);
  const from = rise + 6;
  const last = values.length - 1;
  // Ridges that are closer together would be a solid area.
  const every = Math.max(1, Math.ceil(last / Math.max(1, Math.floor((bottom - from) / ridgeGap))));
  const ground = (i: number) => (last > 0 ? from + (i / last) * (bottom - from) : bottom);
  values.forEach((_, i) => {
    if ((last - i) % every !== 0 && i !== chosen) return;
    const path = outlineOf(laid, i, ground(i), rise);
    context.fillStyle = readTokens().bg;
    context.fill(path);
    context.fillStyle = color;
    context.globalAlpha = 0.15 + 0.45 * lateness(laid, i);
    context.fill(path);
    strokeOutline(laid, path, i, 0.35 + 0.65 * lateness(laid, i));
  });
  if (!bare) stepsLabels(context, values, ground, right + 6);
  const spacing = last > 0 ? (bottom - from) / last : 1;
  return { x, hit: (_, y) => Math.round((y - from) / spacing) };
}

const drawers = { heat: drawHeat, overlay: drawOverlay, ridges: drawRidges };

export function drawDistribution(picture: Picture, mode: Mode): Placed {
  if (mode === "percentiles") {
    const x = drawPercentiles(picture);
    const places = picture.values.map((value) => x.at(value.step));
    return { x, hit: (at) => nearestIndex(places, at) };
  }
  const laid = layOut(picture, mode !== "overlay");
  if (!picture.bare) drawAxis(picture.context, laid.x, laid.bottom);
  return drawers[mode](laid);
}

function nearestIndex(places: readonly number[], at: number): number {
  const nearer = (best: number, place: number, i: number) =>
    Math.abs(place - at) < Math.abs(places[best]! - at) ? i : best;
  return places.reduce(nearer, 0);
}
