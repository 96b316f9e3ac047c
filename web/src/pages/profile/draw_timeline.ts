// Draws a timeline on a canvas: axis, steps, lanes, and the selection.

import { labelFont } from "../../chart/draw";
import { linearTicks, tickLabels } from "../../chart/scale";
import type { Flow, SpanName, Steps, Timeline } from "../../core/api_profile";
import { hue, inkOnHue, readTokens, slotOf, type Theme } from "../../core/colors";
import { formatCount, keepEnd } from "../../core/format";
import { axisHeight, type Layout, placesOf, rowHeight, type Window } from "./lanes";

export interface Scene {
  width: number;
  height: number;
  left: number;
  scroll: number;
  window: Window;
  layout: Layout;
  timeline: Timeline | null;
  /** The steps, if they use the timeline's clock. */
  steps: Steps | null;
  selected: Window | null;
  flows: readonly Flow[];
  /** The number of the span whose details are shown. */
  chosen: number | null;
  /** Only names that contain it keep their colour. */
  find: string;
  theme: Theme;
}

const letterWidth = 6.3;

const units: readonly [number, string][] = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
];

/** Ticks with one unit for all of them. */
export function timeAxis(
  [from, to]: Window,
  wanted: number,
): { ticks: number[]; labels: string[] } {
  const ticks = linearTicks(from, to, wanted);
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const gap = ticks.length > 1 ? ticks[1]! - ticks[0]! : largest;
  // The unit of the largest tick, unless neighbours would then differ only in the seventh digit.
  const [unit, name] = units.find(([size]) => largest >= size && gap >= size * 1e-4) ?? units[3]!;
  return {
    ticks,
    labels: tickLabels(ticks.map((tick) => tick / unit)).map((label) => `${label} ${name}`),
  };
}

export function drawTimeline(context: CanvasRenderingContext2D, scene: Scene): void {
  const {
    width,
    height,
    left,
    window: [from, to],
  } = scene;
  const tokens = readTokens();
  const scale = (width - left) / (to - from);
  const x = (time: number) => left + (time - from) * scale;
  context.font = labelFont;
  context.textBaseline = "middle";
  drawAxis(context, scene, x);
  context.save();
  context.beginPath();
  context.rect(0, axisHeight, width, height - axisHeight);
  context.clip();
  context.translate(0, axisHeight - scene.scroll);
  if (scene.timeline) {
    const places = placesOf(scene.layout);
    const styles = scene.timeline.names.map((name) => styleOf(name, scene));
    context.save();
    context.beginPath();
    context.rect(left, 0, width - left, scene.layout.height + height);
    context.clip();
    for (const row of scene.timeline.rows) {
      const placed = places.get(row.lane);
      if (!placed || row.row >= placed.rows) continue;
      const top = placed.top + row.row * rowHeight;
      if (top + rowHeight < scene.scroll || top > scene.scroll + height) continue;
      drawNarrow(context, scene, row, top, x);
      drawWide(context, scene, row, top, x, styles);
    }
    drawFlows(context, scene, x);
    context.restore();
  }
  drawLabels(context, scene);
  context.restore();
  if (scene.selected) {
    const [a, b] = scene.selected.map(x) as [number, number];
    context.fillStyle = tokens.accent;
    context.globalAlpha = 0.14;
    context.fillRect(Math.max(left, a), axisHeight, Math.max(1, b - Math.max(left, a)), height);
    context.globalAlpha = 1;
    for (const edge of [a, b])
      if (edge >= left) context.fillRect(Math.round(edge), axisHeight, 1, height);
  }
}

function drawAxis(
  context: CanvasRenderingContext2D,
  scene: Scene,
  x: (time: number) => number,
): void {
  const tokens = readTokens();
  const { ticks, labels } = timeAxis(
    scene.window,
    Math.max(2, Math.floor((scene.width - scene.left) / 110)),
  );
  context.textAlign = "left";
  ticks.forEach((tick, i) => {
    const at = Math.round(x(tick)) + 0.5;
    context.strokeStyle = tokens.hairline;
    context.beginPath();
    context.moveTo(at, axisHeight - 6);
    context.lineTo(at, scene.height);
    context.stroke();
    context.fillStyle = tokens.muted;
    if (at + labels[i]!.length * letterWidth < scene.width) context.fillText(labels[i]!, at + 3, 8);
  });
  const { steps } = scene;
  if (!steps) return;
  for (let i = 0; i < steps.start.length; i++) {
    const [a, b] = [x(steps.start[i]!), x(steps.start[i]! + steps.total[i]!)];
    if (b < scene.left || a > scene.width) continue;
    const begin = Math.max(a, scene.left);
    context.fillStyle = tokens.accent;
    context.globalAlpha = i % 2 === 0 ? 0.55 : 0.25;
    context.fillRect(begin, axisHeight - 8, Math.max(0.5, b - begin), 5);
    context.globalAlpha = 1;
  }
}

/** Arrows from the end of a span to the start of the span that it caused. */
function drawFlows(
  context: CanvasRenderingContext2D,
  scene: Scene,
  x: (time: number) => number,
): void {
  const { text, bg } = readTokens();
  const places = placesOf(scene.layout);
  const middle = (lane: number, row: number) => {
    const placed = places.get(lane);
    return placed ? placed.top + (Math.min(row, placed.rows - 1) + 0.5) * rowHeight : NaN;
  };
  const line = new Path2D();
  const heads = new Path2D();
  for (const flow of scene.flows) {
    const [x1, y1, x2, y2] = [
      x(flow.from),
      middle(flow.from_lane, flow.from_row),
      x(flow.to),
      middle(flow.to_lane, flow.to_row),
    ];
    if (
      !Number.isFinite(y1 + y2) ||
      Math.max(x1, x2) < scene.left ||
      Math.min(x1, x2) > scene.width
    )
      continue;
    const bend = Math.max(12, Math.abs(x2 - x1) / 2);
    line.moveTo(x1, y1);
    line.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    heads.moveTo(x2, y2);
    heads.lineTo(x2 - 6, y2 - 3);
    heads.lineTo(x2 - 6, y2 + 3);
    heads.closePath();
  }
  for (const [color, width] of [
    [bg, 3],
    [text, 1],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke(line);
  }
  context.fillStyle = text;
  context.fill(heads);
}

interface Style {
  fill: string;
  ink: string;
  text: string;
  faint: boolean;
}

function styleOf(name: SpanName, scene: Scene): Style {
  const tokens = readTokens();
  const faint = scene.find !== "" && !name.name.toLowerCase().includes(scene.find.toLowerCase());
  if (name.kind === "step")
    return { fill: tokens.hairline, ink: tokens.text, text: name.name, faint };
  const slot = slotOf(name);
  return { fill: hue(scene.theme, slot), ink: inkOnHue(scene.theme, slot), text: name.name, faint };
}

function drawNarrow(
  context: CanvasRenderingContext2D,
  scene: Scene,
  row: { column: Float64Array; covered: Float64Array },
  top: number,
  x: (time: number) => number,
): void {
  const { timeline } = scene;
  const width = (timeline!.to - timeline!.from) / timeline!.columns;
  context.fillStyle = readTokens().muted;
  for (let i = 0; i < row.column.length; i++) {
    const begin = x(timeline!.from + row.column[i]! * width);
    const end = x(timeline!.from + (row.column[i]! + 1) * width);
    if (end < scene.left || begin > scene.width) continue;
    // Dark enough to see a single short span.
    context.globalAlpha = (scene.find === "" ? 1 : 0.4) * (0.3 + 0.7 * row.covered[i]!);
    context.fillRect(begin, top + 1, Math.max(1, end - begin), rowHeight - 2);
  }
  context.globalAlpha = 1;
}

function drawWide(
  context: CanvasRenderingContext2D,
  scene: Scene,
  row: { start: Float64Array; duration: Float64Array; name: Float64Array; span: Float64Array },
  top: number,
  x: (time: number) => number,
  styles: readonly Style[],
): void {
  const tokens = readTokens();
  context.textAlign = "left";
  for (let i = 0; i < row.start.length; i++) {
    const begin = Math.max(x(row.start[i]!), scene.left - 2);
    const end = Math.min(x(row.start[i]! + row.duration[i]!), scene.width + 2);
    if (end < scene.left || begin > scene.width) continue;
    const style = styles[row.name[i]!]!;
    // A gap between neighbours, if there is room.
    const wide = Math.max(1, end - begin - (end - begin > 3 ? 1 : 0));
    context.globalAlpha = style.faint ? 0.2 : 1;
    context.fillStyle = style.fill;
    context.fillRect(begin, top + 1, wide, rowHeight - 2);
    const letters = Math.floor((wide - 6) / letterWidth);
    if (letters >= 3 && !style.faint) {
      context.fillStyle = style.ink;
      context.fillText(
        style.text.length > letters ? `${style.text.slice(0, letters - 1)}…` : style.text,
        begin + 3,
        top + rowHeight / 2 + 0.5,
      );
    }
    context.globalAlpha = 1;
    if (row.span[i] === scene.chosen) {
      context.strokeStyle = tokens.text;
      context.lineWidth = 2;
      context.strokeRect(begin + 1, top + 1, Math.max(2, wide - 2), rowHeight - 2);
      context.lineWidth = 1;
    }
  }
}

function drawLabels(context: CanvasRenderingContext2D, scene: Scene): void {
  const tokens = readTokens();
  context.fillStyle = tokens.bg;
  context.fillRect(0, scene.scroll, scene.left, scene.height);
  const room = Math.floor((scene.left - 12) / letterWidth);
  for (const { lane, members, top, rows, heading } of scene.layout.lanes) {
    if (heading) {
      context.fillStyle = tokens.text;
      context.textAlign = "left";
      context.fillText(keepEnd(heading, 60), 4, top - 9);
    }
    context.fillStyle = tokens.muted;
    context.textAlign = "right";
    const many = members.length > 1 ? ` ×${formatCount(members.length)}` : "";
    context.fillText(
      `${keepEnd(lane.thread || lane.process, room - many.length)}${many}`,
      scene.left - 8,
      top + rowHeight / 2,
    );
    context.strokeStyle = tokens.hairline;
    context.beginPath();
    const line = Math.round(top + rows * rowHeight + 3) - 0.5;
    context.moveTo(0, line);
    context.lineTo(scene.width, line);
    context.stroke();
  }
}
