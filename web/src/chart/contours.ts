// Filled contours of a grid, with the path over them.
import type { Landscape } from "../core/api";
import { css, inkOn, readTokens, viridisOf } from "../core/colors";
import { formatValue } from "../core/format";
import { labelFont } from "./draw";
import { linearScale, linearTicks, type Scale, tickLabels } from "./scale";

export interface Field {
  x: Scale;
  y: Scale;
}

/** Maps a loss to its share of the colours. Logarithmic only if every loss is positive. */
export function shareOf(z: readonly number[], log: boolean): (value: number) => number {
  let lo = Infinity;
  let hi = -Infinity;
  for (const value of z) {
    if (!Number.isFinite(value)) continue;
    lo = Math.min(lo, value);
    hi = Math.max(hi, value);
  }
  if (log && lo > 0 && hi > lo) {
    const span = Math.log(hi / lo);
    return (value) => Math.log(value / lo) / span;
  }
  return (value) => (hi > lo ? (value - lo) / (hi - lo) : 0.5);
}

/** The bilinear value at a place in cells; NaN outside, or if a corner is not finite. */
export function bilinear(
  z: readonly number[],
  nx: number,
  ny: number,
  gx: number,
  gy: number,
): number {
  if (!(gx >= 0 && gy >= 0 && gx <= nx - 1 && gy <= ny - 1)) return NaN;
  const i = Math.min(nx - 2, Math.floor(gx));
  const j = Math.min(ny - 2, Math.floor(gy));
  const [fx, fy] = [gx - i, gy - j];
  const at = (a: number, b: number) => z[b * nx + a]!;
  return (
    (at(i, j) * (1 - fx) + at(i + 1, j) * fx) * (1 - fy) +
    (at(i, j + 1) * (1 - fx) + at(i + 1, j + 1) * fx) * fy
  );
}

/** The place of a value in an ascending or descending axis, in cells. */
function cellOf(axis: readonly number[], value: number): number {
  const last = axis.length - 1;
  const span = axis[last]! - axis[0]!;
  return span === 0 ? NaN : ((value - axis[0]!) / span) * last;
}

export function lossAt(
  land: Landscape,
  field: Field,
  px: number,
  py: number,
): { x: number; y: number; z: number } | null {
  const [x, y] = [field.x.invert(px), field.y.invert(py)];
  const z = bilinear(land.z, land.x.length, land.y.length, cellOf(land.x, x), cellOf(land.y, y));
  return Number.isNaN(z) ? null : { x, y, z };
}

export function drawContours(
  context: CanvasRenderingContext2D,
  land: Landscape,
  width: number,
  height: number,
  levels: number,
  log: boolean,
  words: { start: string; end: string },
): Field | null {
  const { x: xs, y: ys, z } = land;
  if (xs.length < 2 || ys.length < 2) return null;
  const left = 64;
  const right = width - 96;
  const bottom = height - 24;
  const x = linearScale(xs[0]!, xs[xs.length - 1]!, left, right);
  const y = linearScale(ys[0]!, ys[ys.length - 1]!, bottom, 8);
  fill(context, land, { x, y }, [left, 8, right, bottom], levels, shareOf(z, log));
  drawAxes(context, x, y, bottom);
  drawBar(context, z, levels, log, right + 12, 8, bottom);
  drawPath(context, land, { x, y }, words);
  return { x, y };
}

/** The colours and the path alone, from edge to edge. */
export function drawContourField(
  context: CanvasRenderingContext2D,
  land: Landscape,
  width: number,
  height: number,
  levels: number,
): void {
  const { x: xs, y: ys, z, path } = land;
  if (xs.length < 2 || ys.length < 2) return;
  const field = {
    x: linearScale(xs[0]!, xs[xs.length - 1]!, 0, width),
    y: linearScale(ys[0]!, ys[ys.length - 1]!, height, 0),
  };
  fill(context, land, field, [0, 0, width, height], levels, shareOf(z, false));
  if (path) drawLineOf(context, path, field);
}

function fill(
  context: CanvasRenderingContext2D,
  land: Landscape,
  { x, y }: Field,
  [left, top, right, bottom]: [number, number, number, number],
  levels: number,
  share: (value: number) => number,
): void {
  const ratio = context.getTransform().a;
  const w = Math.max(1, Math.round((right - left) * ratio));
  const h = Math.max(1, Math.round((bottom - top) * ratio));
  const image = context.createImageData(w, h);
  const level = new Int16Array(w * h);
  const colors = Array.from({ length: levels }, (_, k) =>
    viridisOf(levels > 1 ? k / (levels - 1) : 0.5),
  );
  for (let b = 0; b < h; b++) {
    const gy = cellOf(land.y, y.invert(top + (b + 0.5) / ratio));
    for (let a = 0; a < w; a++) {
      const gx = cellOf(land.x, x.invert(left + (a + 0.5) / ratio));
      const value = share(bilinear(land.z, land.x.length, land.y.length, gx, gy));
      const at = b * w + a;
      level[at] = Number.isFinite(value)
        ? Math.min(levels - 1, Math.max(0, Math.floor(value * levels)))
        : -1;
      if (level[at]! < 0) continue;
      const edge = (a > 0 && level[at - 1] !== level[at]) || (b > 0 && level[at - w] !== level[at]);
      const [red, green, blue] = colors[level[at]!]!;
      const shade = edge ? 0.72 : 1;
      image.data.set([red * shade, green * shade, blue * shade, 255], at * 4);
    }
  }
  context.putImageData(image, Math.round(left * ratio), Math.round(top * ratio));
}

function drawAxes(context: CanvasRenderingContext2D, x: Scale, y: Scale, bottom: number): void {
  context.font = labelFont;
  context.fillStyle = readTokens().muted;
  const xTicks = linearTicks(Math.min(x.lo, x.hi), Math.max(x.lo, x.hi), 6);
  context.textAlign = "center";
  context.textBaseline = "top";
  tickLabels(xTicks).forEach((label, i) => context.fillText(label, x.at(xTicks[i]!), bottom + 6));
  const yTicks = linearTicks(Math.min(y.lo, y.hi), Math.max(y.lo, y.hi), 6);
  context.textAlign = "right";
  context.textBaseline = "middle";
  tickLabels(yTicks).forEach((label, i) => context.fillText(label, 58, y.at(yTicks[i]!)));
}

function drawBar(
  context: CanvasRenderingContext2D,
  z: readonly number[],
  levels: number,
  log: boolean,
  left: number,
  top: number,
  bottom: number,
): void {
  const finite = z.filter(Number.isFinite);
  if (finite.length === 0) return;
  let lo = Infinity;
  let hi = -Infinity;
  for (const value of finite) {
    lo = Math.min(lo, value);
    hi = Math.max(hi, value);
  }
  const step = (bottom - top) / levels;
  for (let k = 0; k < levels; k++) {
    context.fillStyle = css(viridisOf(levels > 1 ? k / (levels - 1) : 0.5));
    context.fillRect(left, bottom - (k + 1) * step, 12, step + 0.5);
  }
  context.fillStyle = readTokens().muted;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const shares = [0, 0.25, 0.5, 0.75, 1];
  const values = shares.map((share) =>
    log && lo > 0 ? lo * (hi / lo) ** share : lo + (hi - lo) * share,
  );
  // As many digits as the labels need to differ.
  const digits =
    [4, 5, 6, 7, 8].find(
      (n) => new Set(values.map((value) => formatValue(value, n))).size === shares.length,
    ) ?? 4;
  for (const [i, share] of shares.entries()) {
    context.fillText(
      formatValue(values[i]!, digits),
      left + 18,
      Math.min(bottom - 5, Math.max(top + 5, bottom - (bottom - top) * share)),
    );
  }
}

function drawLineOf(
  context: CanvasRenderingContext2D,
  path: NonNullable<Landscape["path"]>,
  { x, y }: Field,
): void {
  for (const [color, width] of [
    ["#000000", 5],
    ["#ffffff", 2.5],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.beginPath();
    path.x.forEach((px, i) =>
      i === 0
        ? context.moveTo(x.at(px), y.at(path.y[i]!))
        : context.lineTo(x.at(px), y.at(path.y[i]!)),
    );
    context.stroke();
  }
}

function drawPath(
  context: CanvasRenderingContext2D,
  { path, convergence_point: end }: Landscape,
  { x, y }: Field,
  words: { start: string; end: string },
): void {
  if (path && path.x.length > 0) {
    drawLineOf(context, path, { x, y });
    path.x.forEach((px, i) => dot(context, x.at(px), y.at(path.y[i]!), 3));
    label(context, words.start, x.at(path.x[0]!), y.at(path.y[0]!));
    const last = path.x.length - 1;
    if (last > 0) label(context, words.end, x.at(path.x[last]!), y.at(path.y[last]!));
  }
  if (end) dot(context, x.at(end.x), y.at(end.y), 5);
}

function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fillStyle = "#ffffff";
  context.fill();
  context.strokeStyle = "#000000";
  context.lineWidth = 1.5;
  context.stroke();
}

function label(context: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  context.font = labelFont;
  const width = context.measureText(text).width;
  context.fillStyle = "#000000b0";
  context.fillRect(x - width / 2 - 4, y - 24, width + 8, 16);
  context.fillStyle = inkOn([0, 0, 0]);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y - 16);
}
