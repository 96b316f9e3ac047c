// What a line chart marks: values by level lines, and places on the x axis by upright ones.
import { readTokens } from "../core/colors";
import { formatValue } from "../core/format";
import type { Axis } from "../core/view_state";
import { type Line, resumedAt } from "./line";
import type { Scale } from "./scale";

/** Where the chart is drawn, in pixels, and its axes. */
interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: Scale;
  y: Scale;
}

export function drawLevels(
  context: CanvasRenderingContext2D,
  plot: Frame,
  levels: readonly number[],
): void {
  context.strokeStyle = readTokens().text;
  context.fillStyle = readTokens().text;
  context.textAlign = "right";
  context.textBaseline = "bottom";
  context.setLineDash([4, 4]);
  context.lineWidth = 1;
  for (const level of levels) {
    const at = Math.round(plot.y.at(level)) + 0.5;
    if (!Number.isFinite(at)) continue;
    context.beginPath();
    context.moveTo(plot.left, at);
    context.lineTo(plot.right, at);
    context.stroke();
    context.fillText(formatValue(level, 6), plot.right - 2, at - 2);
  }
  context.setLineDash([]);
}

// Further places where a training was resumed are not marked: they would hide the lines.
const resumesAtMost = 20;

/** Marks the places where a training was resumed. */
export function drawResumes(
  context: CanvasRenderingContext2D,
  plot: Frame,
  lines: readonly Line[],
  { axis, compact, resumedWord = "" }: { axis: Axis; compact: boolean; resumedWord?: string },
): void {
  const places = [...new Set(lines.flatMap((line) => resumedAt(line, axis)))];
  const shown = places.sort((a, b) => a - b).slice(0, resumesAtMost);
  drawPlaces(context, plot, shown, compact ? "" : resumedWord, readTokens().muted);
}

/** Marks a place on the x axis. */
export function drawMark(
  context: CanvasRenderingContext2D,
  plot: Frame,
  { at, word }: { at: number; word: string },
): void {
  drawPlaces(context, plot, [at], word, readTokens().danger, true);
}

/** A thin line at each of the ascending places, with a word at its end if there is room. */
function drawPlaces(
  context: CanvasRenderingContext2D,
  plot: Frame,
  places: readonly number[],
  word: string,
  color: string,
  above = false,
): void {
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.textBaseline = above ? "top" : "bottom";
  context.setLineDash([1, 3]);
  const { width } = context.measureText(word);
  let free = -Infinity;
  for (const place of places) {
    const x = Math.round(plot.x.at(place)) + 0.5;
    if (!(x >= plot.left && x <= plot.right)) continue;
    context.beginPath();
    context.moveTo(x, plot.top);
    context.lineTo(x, plot.bottom);
    context.stroke();
    if (word === "" || x < free || x + width + 4 > plot.right) continue;
    context.textAlign = "left";
    context.fillText(word, x + 3, above ? plot.top : plot.bottom - 2);
    free = x + width + 8;
  }
  context.setLineDash([]);
}
