// A landscape of one direction: the loss along a line.
import type { Landscape } from "../core/api";
import type { Theme } from "../core/colors";
import { drawPlot, layOut, type Style } from "./draw";
import type { Line } from "./line";

/** Whether it has one direction only. */
export function isLine(land: Landscape): boolean {
  return (land.x.length === 1) !== (land.y.length === 1);
}

const none = new Float64Array(0);

export function drawLandscapeLine(
  context: CanvasRenderingContext2D,
  land: Landscape,
  width: number,
  height: number,
  log: boolean,
  theme: Theme,
  slot: number,
): void {
  const x = Float64Array.from(land.y.length === 1 ? land.x : land.y);
  const z = Float64Array.from(land.z);
  const line: Line = {
    run: "",
    rank: 0,
    label: "",
    slot,
    exact: true,
    inRange: x.length,
    x,
    lo: z,
    hi: z,
    first: z,
    last: z,
    count: null,
    steps: x,
    times: none,
    nan: null,
    up: null,
    down: null,
    smoothed: null,
  };
  const style: Style = { axis: "step", log, range: null, compact: false, against: "x" };
  const plot = layOut([line], width, height, style);
  if (plot) drawPlot(context, plot, [line], style, theme);
}

/** The landscape with only the first points of its path. */
export function upTo(land: Landscape, count: number): Landscape {
  const { path } = land;
  if (!path || count >= path.x.length) return land;
  const cut = <T>(list: readonly T[]) => list.slice(0, count);
  return {
    ...land,
    path: { intervals: cut(path.intervals), x: cut(path.x), y: cut(path.y), z: cut(path.z) },
  };
}
