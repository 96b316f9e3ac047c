// A surface over a grid, drawn from the farthest cell to the nearest.
import type { Landscape } from "../api";
import { css, readTokens, viridisOf } from "../colors";
import { shareOf } from "./contours";

export interface Turn { around: number; up: number }

/** Cells along an axis while a surface turns. */
export const cellsTurning = 64;
const cellsAtOnce = 2000;

/** At most `cells` + 1 of `count` places at even distances, the first and the last among them. */
export function linesOf(count: number, cells: number): number[] {
  const last = Math.min(cells, count - 1);
  return Array.from({ length: last + 1 }, (_, i) => Math.round((i * (count - 1)) / last));
}

/**
 * Draws piece by piece: what calls next() decides when. With `cells` fewer cells an axis than there are; the heights of
 * those corners stay exact.
 */
export function* drawSurface(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D, land: Landscape, width: number, height: number, turn: Turn, log: boolean, cells = Infinity,
): Generator<void> {
  if (land.x.length < 2 || land.y.length < 2) return;
  const columns = linesOf(land.x.length, cells);
  const rows = linesOf(land.y.length, cells);
  const nx = columns.length;
  const share = shareOf(land.z, log);
  const size = Math.min(width, height * 1.6) * 0.46;
  const [c, s, cu, su] = [Math.cos(turn.around), Math.sin(turn.around), Math.cos(turn.up), Math.sin(turn.up)];
  /** u, v, w in [-0.5, 0.5]: across, along, high. */
  const place = (u: number, v: number, w: number) => {
    const a = u * c - v * s;
    const b = u * s + v * c;
    return { x: width / 2 + a * size, y: height / 2 + (b * su - w * 0.7 * cu) * size, depth: b * cu + w * su };
  };
  const corners = rows.flatMap((j) => columns.map((i) => {
    const z = share(land.z[j * land.x.length + i]!);
    return { ...place(i / (land.x.length - 1) - 0.5, j / (land.y.length - 1) - 0.5, z - 0.5), z };
  }));
  yield;
  const far: { at: number; depth: number }[] = [];
  for (let j = 0; j + 1 < rows.length; j++) {
    for (let i = 0; i + 1 < nx; i++) {
      const at = j * nx + i;
      const four = [corners[at]!, corners[at + 1]!, corners[at + nx + 1]!, corners[at + nx]!];
      if (four.some((corner) => !Number.isFinite(corner.z))) continue;
      far.push({ at, depth: four[0]!.depth + four[1]!.depth + four[2]!.depth + four[3]!.depth });
    }
  }
  far.sort((a, b) => a.depth - b.depth);
  context.lineWidth = 0.6;
  for (const [i, { at }] of far.entries()) {
    if (i % cellsAtOnce === 0) yield;
    const four = [corners[at]!, corners[at + 1]!, corners[at + nx + 1]!, corners[at + nx]!];
    const color = css(viridisOf(four.reduce((sum, corner) => sum + corner.z, 0) / 4));
    context.beginPath();
    four.forEach((corner, k) => (k === 0 ? context.moveTo(corner.x, corner.y) : context.lineTo(corner.x, corner.y)));
    context.closePath();
    context.fillStyle = color;
    context.fill();
    context.strokeStyle = far.length > 4000 ? color : "#00000040";
    context.stroke();
  }
  drawPath(context, land, place, share);
}

function drawPath(context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D, land: Landscape, place: (u: number, v: number, w: number) => { x: number; y: number }, share: (value: number) => number): void {
  const { path, x, y } = land;
  if (!path || path.x.length === 0) return;
  const unit = (axis: readonly number[], value: number) => (value - axis[0]!) / (axis[axis.length - 1]! - axis[0]! || 1) - 0.5;
  const points = path.x.map((px, i) => place(unit(x, px), unit(y, path.y[i]!), share(path.z[i]!) - 0.5));
  for (const [color, width] of [[readTokens().bg, 5], [readTokens().text, 2.5]] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    points.forEach((point, i) => (i === 0 ? context.moveTo(point.x, point.y) : context.lineTo(point.x, point.y)));
    context.stroke();
  }
}
