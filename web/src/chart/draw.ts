// Draws a line chart on a canvas: grid, axes, lines, and marks for NaN and infinity.

import { dash, hue, hueChannels, readTokens, type Theme } from "../core/colors";
import { type Axis, isCounted } from "../core/view_state";
import {
  type Dots,
  type Extent,
  extentOf,
  type Line,
  type NotFinite,
  notFinite,
  outliersOf,
  traceBand,
  traceLine,
  traceSmoothed,
} from "./line";
import { drawLevels, drawMark, drawResumes } from "./marks";
import { Raster } from "./raster";
import {
  linearScale,
  linearTicks,
  logScale,
  logTicks,
  padded,
  relativeLabels,
  type Scale,
  stepLabels,
  tickLabels,
  timeTicks,
  wallLabels,
} from "./scale";
import { SvgContext, SvgPath } from "./svg";

export interface Plot {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: Scale;
  y: Scale;
  /** The y axis of a second tag. */
  y2: Scale | null;
  bad: NotFinite;
  /** The number of finite values outside the y axis. */
  outliers: number;
}

export interface Style {
  axis: Axis;
  log: boolean;
  range: readonly [number, number] | null;
  compact: boolean;
  /** The tag whose values are the x axis; "": steps or times. */
  against?: string;
  /** Values that are marked by a line. */
  levels?: readonly number[];
  logX?: boolean;
  /** Leaves outliers out of the y axis. */
  clip?: boolean;
  rangeY?: readonly [number, number] | null;
  /** The word beside the places where a training was resumed. */
  resumedWord?: string;
  /** A place on the x axis that is marked, and the word beside it. */
  mark?: { at: number; word: string } | null;
  /** The least room at the left, so that charts below each other share their x axis. */
  leastLeft?: number;
}

/** The ends of a y axis that contains the extent. */
function yRange(
  extent: Extent,
  wantsLog: boolean,
  levels: readonly number[] = [],
): { lo: number; hi: number; log: boolean } {
  const log = wantsLog && extent.least < Infinity;
  const shown = log ? levels.filter((level) => level > 0) : levels;
  const least = Math.min(log ? extent.least : extent.lo, ...shown);
  const most = Math.max(extent.hi, ...shown);
  const [lo, hi] = log
    ? logRange(least, Math.max(most, least))
    : least <= most
      ? padded(least, most)
      : padded(0, 1);
  return { lo, hi, log };
}

const labelRoom = (labels: readonly string[]) =>
  10 + Math.max(24, ...labels.map((label) => label.length * 6.6));

/** The layout of a chart; null if nothing is in the range. */
export function layOut(
  lines: readonly Line[],
  width: number,
  height: number,
  style: Style,
  second: readonly Line[] = [],
): Plot | null {
  const extent = extentOf(lines, style.range);
  if (!(extent.xLo <= extent.xHi)) return null;
  const bad = notFinite(lines.filter((line) => !line.inBand));
  const outliers = style.clip && !style.rangeY ? outliersOf(lines, style.range) : null;
  const { lo, hi, log } = style.rangeY
    ? fixedRange(style.rangeY, style.log)
    : yRange(outliers ? { ...extent, ...outliers } : extent, style.log, style.levels);
  const top = bad.marks.length > 0 ? 14 : 8;
  const bottom = height - 22;
  const left = Math.max(labelRoom(yLabels(lo, hi, log, bottom - top).labels), style.leastLeft ?? 0);
  const other = second.length > 0 ? yRange(extentOf(second, style.range), false) : null;
  const right =
    width - (other ? labelRoom(yLabels(other.lo, other.hi, false, bottom - top).labels) : 12);
  const [xLo, xHi] =
    style.range ??
    (extent.xLo === extent.xHi ? padded(extent.xLo, extent.xHi) : [extent.xLo, extent.xHi]);
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    bad,
    outliers: outliers?.count ?? 0,
    x:
      style.logX && xHi > 0
        ? logScale(leastX(lines, xLo, xHi), xHi, left, right)
        : linearScale(xLo, xHi, left, right),
    y: log ? logScale(lo, hi, bottom, top) : linearScale(lo, hi, bottom, top),
    y2: other && linearScale(other.lo, other.hi, bottom, top),
  };
}

function fixedRange(
  [lo, hi]: readonly [number, number],
  log: boolean,
): { lo: number; hi: number; log: boolean } {
  return { lo, hi, log: log && lo > 0 };
}

/** Where a logarithmic x axis begins. */
function leastX(lines: readonly Line[], lo: number, hi: number): number {
  if (lo > 0) return lo;
  let least = hi;
  for (const { x } of lines) for (const at of x) if (at > 0 && at < least) least = at;
  return least < hi ? least : hi / 10;
}

function logRange(lo: number, hi: number): [number, number] {
  return lo === hi ? [lo / 2, hi * 2] : [lo / (hi / lo) ** 0.03, hi * (hi / lo) ** 0.03];
}

function yLabels(
  lo: number,
  hi: number,
  log: boolean,
  height: number,
): { ticks: number[]; labels: string[] } {
  const wanted = Math.max(3, Math.floor(height / 36));
  const ticks = log ? logTicks(lo, hi, wanted) : linearTicks(lo, hi, wanted);
  return { ticks, labels: tickLabels(ticks) };
}

function xLabels(
  plot: Plot,
  { axis, against, logX }: Style,
): { ticks: number[]; labels: string[] } {
  const wanted = Math.max(2, Math.floor((plot.right - plot.left) / (axis === "time" ? 90 : 54)));
  const { lo, hi } = plot.x;
  if (logX && lo > 0) {
    const ticks = logTicks(lo, hi, wanted);
    return {
      ticks,
      labels: axis === "relative" && !against ? relativeLabels(ticks) : tickLabels(ticks),
    };
  }
  if (against) {
    const ticks = linearTicks(lo, hi, wanted);
    return { ticks, labels: tickLabels(ticks) };
  }
  if (isCounted(axis)) {
    const ticks = linearTicks(lo, hi, wanted).filter((tick) => Number.isInteger(tick));
    return { ticks, labels: stepLabels(ticks) };
  }
  const zone = axis === "time" ? new Date(lo * 1000).getTimezoneOffset() * 60 : 0;
  const ticks = timeTicks(lo, hi, wanted, zone);
  return { ticks, labels: axis === "time" ? wallLabels(ticks) : relativeLabels(ticks) };
}

/** Sizes the canvas for the screen's pixels and clears it. The context is in CSS pixels. */
export function prepare(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D {
  const ratio = Math.min(3, devicePixelRatio || 1);
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

export const labelFont = '11px system-ui, "Segoe UI", "Noto Sans", sans-serif';

/** A canvas, or an SVG file that is written. */
type Ground = CanvasRenderingContext2D | SvgContext;

function newPath(context: Ground): Path2D {
  return context instanceof SvgContext ? (new SvgPath() as unknown as Path2D) : new Path2D();
}

/** The chart as an SVG file. */
export function plotSvg(
  plot: Plot,
  lines: readonly Line[],
  style: Style,
  theme: Theme,
  second: readonly Line[],
  title: string,
  measure: (text: string) => number,
): string {
  const context = new SvgContext(plot.width, plot.height, measure);
  drawPlot(context, plot, lines, style, theme, second);
  const { bg, text } = readTokens();
  return context.toString(title, bg, text);
}

export function drawPlot(
  ground: Ground,
  plot: Plot,
  lines: readonly Line[],
  style: Style,
  theme: Theme,
  second: readonly Line[] = [],
): void {
  // SvgContext has the methods that are used here.
  const context = ground as CanvasRenderingContext2D;
  const tokens = readTokens();
  context.font = labelFont;
  context.fillStyle = tokens.muted;
  context.strokeStyle = tokens.hairline;
  context.lineWidth = 1;
  context.textBaseline = "middle";
  context.textAlign = "right";
  const y = yLabels(plot.y.lo, plot.y.hi, style.log && plot.y.lo > 0, plot.bottom - plot.top);
  y.ticks.forEach((tick, i) => {
    const at = Math.round(plot.y.at(tick)) + 0.5;
    context.beginPath();
    context.moveTo(plot.left, at);
    context.lineTo(plot.right, at);
    context.stroke();
    context.fillText(y.labels[i]!, plot.left - 6, at);
  });
  if (plot.y2) {
    context.textAlign = "left";
    const { ticks, labels } = yLabels(plot.y2.lo, plot.y2.hi, false, plot.bottom - plot.top);
    ticks.forEach((tick, i) => context.fillText(labels[i]!, plot.right + 6, plot.y2!.at(tick)));
  }
  context.textBaseline = "top";
  const x = xLabels(plot, style);
  let free = -Infinity; // The end of the previous label; a label that would cover it is omitted.
  x.ticks.forEach((tick, i) => {
    const at = plot.x.at(tick);
    const { width } = context.measureText(x.labels[i]!);
    const align =
      at - width / 2 < plot.left - 8 ? "left" : at + width / 2 > plot.width ? "right" : "center";
    const begin = align === "left" ? at : align === "right" ? at - width : at - width / 2;
    if (begin < free) return;
    free = begin + width + 4;
    context.textAlign = align;
    context.fillText(x.labels[i]!, at, plot.bottom + 6);
  });
  context.save();
  context.beginPath();
  context.rect(plot.left, 0, plot.right - plot.left + 2, plot.bottom + 2);
  context.clip();
  if (isCrowd(lines) && !(ground instanceof SvgContext)) drawSpans(context, plot, lines, theme);
  else drawLines(context, plot, lines, theme);
  if (plot.y2) drawSecond(context, plot, second, theme);
  drawLevels(context, plot, style.levels ?? []);
  if (!style.against && !isCrowd(lines)) drawResumes(context, plot, lines, style);
  if (style.mark) drawMark(context, plot, style.mark);
  context.restore();
  drawMarks(context, plot);
}

/** The lines of a second tag, thin and dotted, on the axis at the right. */
function drawSecond(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lines: readonly Line[],
  theme: Theme,
): void {
  context.lineWidth = 1.25;
  context.setLineDash([1.5, 2.5]);
  for (const line of lines) {
    const path = newPath(context);
    const dots = traceLine(path, line, plot.x, plot.y2!);
    context.strokeStyle = hue(theme, line.slot);
    context.fillStyle = hue(theme, line.slot);
    context.stroke(path);
    drawDots(context, dots);
  }
  context.setLineDash([]);
}

// More lines than this are drawn as spans, without dashes and points.
const crowd = 100;

export function isCrowd(lines: readonly Line[]): boolean {
  return lines.length > crowd;
}

function drawSpans(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lines: readonly Line[],
  theme: Theme,
): void {
  const ratio = context.getTransform().a;
  const left = Math.floor(plot.left * ratio);
  const raster = new Raster(
    Math.ceil((plot.right + 2) * ratio) - left,
    Math.ceil((plot.bottom + 2) * ratio),
    ratio,
    left,
    0,
  );
  for (const line of lines) {
    raster.pen(hueChannels(theme, line.slot), line.smoothed ? 0.3 : 1);
    rasterDots(raster, traceLine(raster, line, plot.x, plot.y));
  }
  for (const line of lines) {
    if (!line.smoothed) continue;
    raster.pen(hueChannels(theme, line.slot), 1);
    rasterDots(raster, traceSmoothed(raster, line, plot.x, plot.y));
  }
  raster.show(context);
}

/** Points that stand alone, as squares of 3 units. */
export function rasterDots(raster: Raster, dots: Dots): void {
  for (const [x, y] of dots) {
    for (const column of [x - 1, x, x + 1]) {
      raster.moveTo(column, y - 1);
      raster.lineTo(column, y + 1);
    }
  }
}

/** Points that stand alone. */
function drawDots(context: CanvasRenderingContext2D, dots: Dots): void {
  for (const [x, y] of dots) {
    context.beginPath();
    context.arc(x, y, 2.5, 0, 7);
    context.fill();
  }
}

/** Draws one line of a crowd above the others. */
export function liftLine(
  context: CanvasRenderingContext2D,
  plot: Plot,
  line: Line,
  theme: Theme,
): void {
  const path = new Path2D();
  const trace = line.smoothed ? traceSmoothed : traceLine;
  const dots = trace(path, line, plot.x, plot.y);
  context.save();
  context.beginPath();
  context.rect(plot.left, 0, plot.right - plot.left + 2, plot.bottom + 2);
  context.clip();
  context.lineJoin = "round";
  context.strokeStyle = readTokens().bg;
  context.lineWidth = 6;
  context.stroke(path);
  context.strokeStyle = hue(theme, line.slot);
  context.fillStyle = hue(theme, line.slot);
  context.lineWidth = 2.5;
  context.stroke(path);
  drawDots(context, dots);
  context.restore();
}

// The dashes of a second tag on the same axis: validation with training.
const besideDash = [5, 2, 1.5, 2];

function drawLines(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lines: readonly Line[],
  theme: Theme,
): void {
  context.lineJoin = "round";
  for (const line of lines) {
    const color = hue(theme, line.slot);
    context.strokeStyle = color;
    context.fillStyle = color;
    if (line.band) {
      const band = newPath(context);
      traceBand(band, line, plot.x, plot.y);
      context.globalAlpha = 0.18;
      context.fill(band);
    }
    const raw = newPath(context);
    const dots = traceLine(raw, line, plot.x, plot.y);
    const pattern = line.beside ? besideDash : [...dash(line.slot)];
    context.lineWidth = line.beside ? 1.25 : 1.5;
    context.globalAlpha = line.smoothed ? 0.3 : 1;
    context.setLineDash(line.smoothed ? [] : pattern);
    context.stroke(raw);
    drawDots(context, dots);
    context.globalAlpha = 1;
    if (line.smoothed) {
      const path = newPath(context);
      const alone = traceSmoothed(path, line, plot.x, plot.y);
      context.lineWidth = 1.75;
      context.setLineDash(pattern);
      context.stroke(path);
      drawDots(context, alone);
    }
    context.setLineDash([]);
    if (line.exact) drawPoints(context, plot, line);
  }
}

// Points get dots if they are at least this far apart, in pixels.
const apart = 8;

function drawPoints(context: CanvasRenderingContext2D, plot: Plot, line: Line): void {
  let inside = 0;
  for (const at of line.x) if (at >= plot.x.lo && at <= plot.x.hi) inside++;
  if (inside > 1 && (plot.right - plot.left) / (inside - 1) < apart) return;
  for (let i = 0; i < line.x.length; i++) {
    const py = plot.y.at(line.lo[i]!);
    if (!Number.isFinite(py)) continue;
    context.beginPath();
    context.arc(plot.x.at(line.x[i]!), py, 2.5, 0, 7);
    context.fill();
  }
}

function drawMarks(context: CanvasRenderingContext2D, plot: Plot): void {
  context.fillStyle = readTokens().danger;
  const taken = new Set<string>();
  for (const mark of plot.bad.marks) {
    const x = Math.round(plot.x.at(mark.x));
    if (x < plot.left || x > plot.right || taken.has(`${x}${mark.up}`)) continue;
    taken.add(`${x}${mark.up}`);
    const y = mark.up ? 4 : plot.bottom - 4;
    const tip = mark.up ? y + 8 : y - 8;
    context.beginPath();
    context.moveTo(x - 4.5, y);
    context.lineTo(x + 4.5, y);
    context.lineTo(x, tip);
    context.fill();
  }
}
