// Draws histograms over steps: ridges, lines one over the other, a heat map, or percentiles.
import type { Histogram } from "../core/api";
import { css, readTokens, viridisOf } from "../core/colors";
import { labelFont } from "./draw";
import { drawPercentiles } from "./percentiles";
import { linearScale, linearTicks, type Scale, stepLabels, tickLabels } from "./scale";

export type Mode = "ridges" | "heat" | "overlay" | "percentiles";

const ridgeGap = 4;

export interface Placed {
  x: Scale;
  left: number;
  right: number;
  top: number;
  bottom: number;
  hit: (x: number, y: number) => number;
}

/** A bucket's height is its count by its width: buckets of different widths can be compared. */
export function densities(histogram: Histogram): number[] {
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

export function placePercentiles(...given: Parameters<typeof drawPercentiles>): Placed {
  const bands = drawPercentiles(...given);
  const steps = given[1].map((value) => value.step);
  const hit = (x: number) =>
    steps.reduce(
      (best, step, i) =>
        Math.abs(bands.x.at(step) - x) < Math.abs(bands.x.at(steps[best]!) - x) ? i : best,
      0,
    );
  return { ...bands, hit };
}

export function drawDistribution(
  context: CanvasRenderingContext2D,
  values: readonly Histogram[],
  mode: Exclude<Mode, "percentiles">,
  width: number,
  height: number,
  color: string,
  chosen: number,
  bare = false,
): Placed {
  const left = bare ? 0 : 12;
  const right = width - (bare ? 0 : mode === "overlay" ? 12 : 52);
  const bottom = height - (bare ? 1 : 22);
  const x = linearScale(...rangeOf(values), left, right);
  const all = values.map(densities);
  const peaks = all.map((list) => Math.max(0, ...list)).sort((a, b) => a - b);
  // One histogram that is much narrower than the others would flatten them all: it is cut at the top instead.
  const highest = Math.max(
    Math.min(peaks[peaks.length - 1]!, 3 * peaks[peaks.length >> 1]!),
    1e-300,
  );
  if (!bare) drawAxis(context, x, bottom);
  if (mode === "heat") {
    const row = (bottom - 4) / values.length;
    values.forEach((value, i) => {
      const list = all[i]!;
      list.forEach((density, k) => {
        if (density <= 0) return;
        context.fillStyle = css(viridisOf(Math.sqrt(Math.min(1, density / highest))));
        const from = x.at(value.edges[k]!);
        context.fillRect(
          from,
          4 + i * row,
          Math.max(1, x.at(value.edges[k + 1]!) - from + 0.5),
          row + 0.5,
        );
      });
    });
    if (chosen >= 0) {
      context.strokeStyle = readTokens().text;
      context.strokeRect(left, 4 + chosen * row, right - left, row);
    }
    stepsLabels(context, values, (i) => 4 + (i + 0.5) * row, right + 6);
    return { x, left, right, top: 4, bottom, hit: (_, y) => Math.floor((y - 4) / row) };
  }
  const rise = mode === "overlay" ? bottom - 8 : Math.min(bottom * 0.4, 90);
  const from = mode === "overlay" ? bottom : rise + 6;
  // Ridges that lie nearer than this to each other show nothing but ink.
  const every =
    mode === "ridges"
      ? Math.max(
          1,
          Math.ceil((values.length - 1) / Math.max(1, Math.floor((bottom - from) / ridgeGap))),
        )
      : 1;
  const base = (i: number) =>
    values.length > 1 ? from + (i / (values.length - 1)) * (bottom - from) : bottom;
  values.forEach((value, i) => {
    if ((values.length - 1 - i) % every !== 0 && i !== chosen) return;
    const list = all[i]!;
    const path = new Path2D();
    const ground = base(i);
    path.moveTo(x.at(value.edges[0] ?? 0), ground);
    list.forEach((density, k) => {
      const y = ground - Math.min(1, density / highest) * rise;
      path.lineTo(x.at(value.edges[k]!), y);
      path.lineTo(x.at(value.edges[k + 1]!), y);
    });
    path.lineTo(x.at(value.edges[value.edges.length - 1] ?? 0), ground);
    const share = values.length > 1 ? i / (values.length - 1) : 1;
    if (mode === "ridges") {
      context.fillStyle = readTokens().bg;
      context.fill(path);
      context.fillStyle = color;
      context.globalAlpha = 0.15 + 0.45 * share;
      context.fill(path);
    }
    context.globalAlpha =
      chosen >= 0 && chosen !== i && mode === "overlay" ? 0.15 : 0.35 + 0.65 * share;
    context.strokeStyle = i === chosen ? readTokens().text : color;
    context.lineWidth = i === chosen ? 2 : 1;
    context.stroke(path);
    context.globalAlpha = 1;
  });
  if (mode === "ridges" && !bare) stepsLabels(context, values, base, right + 6);
  const hit = (_: number, y: number) => {
    if (mode === "overlay") return values.length - 1;
    const spacing = values.length > 1 ? (bottom - from) / (values.length - 1) : 1;
    return Math.round((y - from) / spacing);
  };
  return { x, left, right, top: 4, bottom, hit };
}
