// A surface over a grid, drawn from the farthest cell to the nearest.
import type { Landscape } from "../api";
import { css, readTokens, viridisOf } from "../colors";
import { shareOf } from "./contours";

export interface Turn { around: number; up: number }

export function drawSurface(context: CanvasRenderingContext2D, land: Landscape, width: number, height: number, turn: Turn, log: boolean): void {
  const nx = land.x.length;
  const ny = land.y.length;
  if (nx < 2 || ny < 2) return;
  const share = shareOf(land.z, log);
  const size = Math.min(width, height * 1.6) * 0.46;
  const [c, s, cu, su] = [Math.cos(turn.around), Math.sin(turn.around), Math.cos(turn.up), Math.sin(turn.up)];
  /** u, v, w in [-0.5, 0.5]: across, along, high. */
  const place = (u: number, v: number, w: number) => {
    const a = u * c - v * s;
    const b = u * s + v * c;
    return { x: width / 2 + a * size, y: height / 2 + (b * su - w * 0.7 * cu) * size, depth: b * cu + w * su };
  };
  const corners = Array.from({ length: nx * ny }, (_, at) => {
    const z = share(land.z[at]!);
    return { ...place((at % nx) / (nx - 1) - 0.5, Math.floor(at / nx) / (ny - 1) - 0.5, z - 0.5), z };
  });
  const cells: { at: number; depth: number }[] = [];
  for (let j = 0; j + 1 < ny; j++) {
    for (let i = 0; i + 1 < nx; i++) {
      const at = j * nx + i;
      const four = [corners[at]!, corners[at + 1]!, corners[at + nx + 1]!, corners[at + nx]!];
      if (four.some((corner) => !Number.isFinite(corner.z))) continue;
      cells.push({ at, depth: four[0]!.depth + four[1]!.depth + four[2]!.depth + four[3]!.depth });
    }
  }
  cells.sort((a, b) => a.depth - b.depth);
  context.lineWidth = 0.6;
  for (const { at } of cells) {
    const four = [corners[at]!, corners[at + 1]!, corners[at + nx + 1]!, corners[at + nx]!];
    const color = css(viridisOf(four.reduce((sum, corner) => sum + corner.z, 0) / 4));
    context.beginPath();
    four.forEach((corner, k) => (k === 0 ? context.moveTo(corner.x, corner.y) : context.lineTo(corner.x, corner.y)));
    context.closePath();
    context.fillStyle = color;
    context.fill();
    context.strokeStyle = nx * ny > 4000 ? color : "#00000040";
    context.stroke();
  }
  drawPath(context, land, place, share);
}

function drawPath(context: CanvasRenderingContext2D, land: Landscape, place: (u: number, v: number, w: number) => { x: number; y: number }, share: (value: number) => number): void {
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
