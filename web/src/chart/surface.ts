// Surfaces over grids, drawn from the farthest cell to the nearest: one in the colours of its
// heights, or several each in its own.
import type { Landscape } from "../core/api";
import { css, readTokens, viridisOf } from "../core/colors";
import { shareOf } from "./contours";

export interface Turn {
  around: number;
  up: number;
}

/** Cells along an axis while a surface turns. */
export const cellsTurning = 64;
const cellsAtOnce = 800;

/** `color`: the run's, if several surfaces share a picture; null: by height. */
export interface Surface {
  land: Landscape;
  color: readonly [number, number, number] | null;
}

interface Axis {
  lo: number;
  hi: number;
}
const unit = ({ lo, hi }: Axis, value: number) => (value - lo) / (hi - lo || 1) - 0.5;

/** The range of an axis over all surfaces. */
function spanOf(surfaces: readonly Surface[], axis: (land: Landscape) => readonly number[]): Axis {
  const ends = surfaces.flatMap(({ land }) => [axis(land)[0]!, axis(land).at(-1)!]);
  return { lo: Math.min(...ends), hi: Math.max(...ends) };
}

/** At most `cells` + 1 of `count` places at even distances, the first and the last among them. */
export function linesOf(count: number, cells: number): number[] {
  const last = Math.min(cells, count - 1);
  return Array.from({ length: last + 1 }, (_, i) => Math.round((i * (count - 1)) / last));
}

/**
 * Draws piece by piece: what calls next() decides when. With `cells` fewer cells an axis than there
 * are; the heights of those corners stay exact.
 */
export function* drawSurface(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  all: readonly Surface[],
  width: number,
  height: number,
  turn: Turn,
  log: boolean,
  cells = Infinity,
): Generator<void> {
  const surfaces = all.filter(({ land }) => land.x.length > 1 && land.y.length > 1);
  if (surfaces.length === 0) return;
  const [across, along] = [spanOf(surfaces, (land) => land.x), spanOf(surfaces, (land) => land.y)];
  const share = shareOf(
    surfaces.length === 1 ? surfaces[0]!.land.z : surfaces.flatMap(({ land }) => land.z),
    log,
  );
  const size = Math.min(width, height * 1.6) * 0.46;
  const [c, s, cu, su] = [
    Math.cos(turn.around),
    Math.sin(turn.around),
    Math.cos(turn.up),
    Math.sin(turn.up),
  ];
  /** u, v, w in [-0.5, 0.5]: across, along, high. */
  const place = (u: number, v: number, w: number) => {
    const a = u * c - v * s;
    const b = u * s + v * c;
    return {
      x: width / 2 + a * size,
      y: height / 2 + (b * su - w * 0.7 * cu) * size,
      depth: b * cu + w * su,
    };
  };
  const far: {
    four: { x: number; y: number; z: number }[];
    depth: number;
    color: Surface["color"];
  }[] = [];
  for (const { land, color } of surfaces) {
    const columns = linesOf(land.x.length, cells);
    const rows = linesOf(land.y.length, cells);
    const nx = columns.length;
    const corners = rows.flatMap((j) =>
      columns.map((i) => {
        const z = share(land.z[j * land.x.length + i]!);
        return { ...place(unit(across, land.x[i]!), unit(along, land.y[j]!), z - 0.5), z };
      }),
    );
    yield;
    for (let j = 0; j + 1 < rows.length; j++) {
      for (let i = 0; i + 1 < nx; i++) {
        const at = j * nx + i;
        const four = [corners[at]!, corners[at + 1]!, corners[at + nx + 1]!, corners[at + nx]!];
        if (four.some((corner) => !Number.isFinite(corner.z))) continue;
        far.push({
          four,
          depth: four[0]!.depth + four[1]!.depth + four[2]!.depth + four[3]!.depth,
          color,
        });
      }
    }
  }
  yield;
  far.sort((a, b) => a.depth - b.depth);
  context.lineWidth = 0.6;
  for (const [i, { four, color: own }] of far.entries()) {
    if (i % cellsAtOnce === 0) yield;
    const high = four.reduce((sum, corner) => sum + corner.z, 0) / 4;
    const color = css(own ? shaded(own, high) : viridisOf(high));
    context.beginPath();
    four.forEach((corner, k) =>
      k === 0 ? context.moveTo(corner.x, corner.y) : context.lineTo(corner.x, corner.y),
    );
    context.closePath();
    context.fillStyle = color;
    context.fill();
    context.strokeStyle = far.length > 4000 ? color : "#00000040";
    context.stroke();
  }
  for (const { land } of surfaces) {
    drawPath(context, land, (x, y, w) => place(unit(across, x), unit(along, y), w), share);
  }
}

/** A run's own colour, darker where the surface lies low. */
function shaded(
  [r, g, b]: readonly [number, number, number],
  high: number,
): [number, number, number] {
  const light = 0.45 + 0.55 * Math.min(1, Math.max(0, high));
  return [r * light, g * light, b * light];
}

function drawPath(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  land: Landscape,
  place: (u: number, v: number, w: number) => { x: number; y: number },
  share: (value: number) => number,
): void {
  const { path } = land;
  if (!path || path.x.length === 0) return;
  const points = path.x.map((px, i) => place(px, path.y[i]!, share(path.z[i]!) - 0.5));
  for (const [color, width] of [
    [readTokens().bg, 5],
    [readTokens().text, 2.5],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    points.forEach((point, i) =>
      i === 0 ? context.moveTo(point.x, point.y) : context.lineTo(point.x, point.y),
    );
    context.stroke();
  }
}
