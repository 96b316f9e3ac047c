// Lays loaded scopes out as boxes and curves. Unfolded scopes contain their own layout.
import type { Edge, GraphNode, GraphScope } from "../../core/api";
import { keepEnd } from "../../core/format";
import { type Box, layOutScope } from "./layout";
import { foldRepeats } from "./repeats";

export interface Drawn {
  node: GraphNode;
  x: number;
  y: number;
  width: number;
  height: number;
  open: boolean;
  depth: number;
  label: string;
}
export interface Curve {
  edge: Edge;
  path: string;
  middle: { x: number; y: number };
}
export interface Scene {
  nodes: Drawn[];
  curves: Curve[];
  width: number;
  height: number;
}

const head = 26;
const inside = 14;
const labelRoom = 28;

interface Sized {
  box: Box;
  scene: Scene | null;
  node: GraphNode;
}

function sized(
  node: GraphNode,
  scopes: ReadonlyMap<string, GraphScope>,
  open: ReadonlySet<string>,
  show: string,
  depth: number,
): Sized {
  const scope = node.kind === "scope" && open.has(node.id) ? scopes.get(node.id) : undefined;
  if (scope && depth < 64) {
    const scene = sceneOf(scope, scopes, open, show, depth + 1);
    return {
      box: {
        id: node.id,
        width: Math.max(scene.width + 2 * inside, 160),
        height: scene.height + head + inside,
      },
      scene,
      node,
    };
  }
  const label = keepEnd(node.label, labelRoom);
  const width = Math.max(64, Math.max(label.length * 7.4, (node.type ?? "").length * 6.2) + 20);
  return {
    box: { id: node.id, width, height: node.type || node.nodes ? 38 : 28 },
    scene: null,
    node,
  };
}

/**
 * Boxes are in drawing order, a scope before its contents. `show`: a node that must not be merged
 * into a repeated box.
 */
export function sceneOf(
  whole: GraphScope,
  scopes: ReadonlyMap<string, GraphScope>,
  open: ReadonlySet<string>,
  show = "",
  depth = 0,
): Scene {
  const scope = foldRepeats(whole, open, show);
  const entries = scope.nodes.map((node) => sized(node, scopes, open, show, depth));
  const laid = layOutScope(
    entries.map((entry) => entry.box),
    scope.edges,
  );
  const scene: Scene = { nodes: [], curves: [], width: laid.width, height: laid.height };
  const places = new Map<string, Box & { x: number; y: number }>();
  for (const { box, scene: inner, node } of entries) {
    const x = laid.x.get(box.id)!;
    const y = laid.y.get(box.id)!;
    places.set(box.id, { ...box, x, y });
    scene.nodes.push({
      node,
      x,
      y,
      width: box.width,
      height: box.height,
      open: inner !== null,
      depth,
      label: keepEnd(node.label, labelRoom),
    });
    if (!inner) continue;
    const left = x + (box.width - inner.width) / 2;
    for (const drawn of inner.nodes)
      scene.nodes.push({ ...drawn, x: drawn.x + left, y: drawn.y + y + head });
    for (const curve of inner.curves) scene.curves.push(moved(curve, left, y + head));
  }
  for (const edge of scope.edges) {
    const from = places.get(edge.from);
    const to = places.get(edge.to);
    if (!from || !to || from === to) continue;
    scene.curves.push(curveOf(edge, from, to));
  }
  return scene;
}

function curveOf(
  edge: Edge,
  from: Box & { x: number; y: number },
  to: Box & { x: number; y: number },
): Curve {
  const x1 = from.x + from.width / 2;
  const x2 = to.x + to.width / 2;
  const forward = to.y >= from.y + from.height;
  // Edges that close a cycle go back beside the boxes.
  const y1 = forward ? from.y + from.height : from.y + from.height / 2;
  const y2 = forward ? to.y : to.y + to.height / 2;
  if (forward) {
    const bend = Math.min(40, (y2 - y1) / 2);
    return {
      edge,
      path: shape([x1, y1, x1, y1 + bend, x2, y2 - bend, x2, y2]),
      middle: { x: (x1 + x2) / 2, y: (y1 + y2) / 2 },
    };
  }
  const right1 = from.x + from.width;
  const right2 = to.x + to.width;
  const out = Math.max(right1, right2) + 24;
  return {
    edge,
    path: shape([right1, y1, out, y1, out, y2, right2, y2]),
    middle: { x: out, y: (y1 + y2) / 2 },
  };
}

function shape([a, b, c, d, e, f, g, h]: number[]): string {
  const n = (value: number | undefined) => value!.toFixed(1);
  return `M${n(a)} ${n(b)}C${n(c)} ${n(d)} ${n(e)} ${n(f)} ${n(g)} ${n(h)}`;
}

function moved(curve: Curve, dx: number, dy: number): Curve {
  const numbers = curve.path.match(/-?[\d.]+/g)!.map(Number);
  return {
    edge: curve.edge,
    path: shape(numbers.map((value, i) => value + (i % 2 === 0 ? dx : dy))),
    middle: { x: curve.middle.x + dx, y: curve.middle.y + dy },
  };
}

/** The scopes that must be open to see a node: the prefixes of its id at each "/". */
export function ancestorsOf(scope: string): string[] {
  const parts = scope.split("/").filter((part) => part !== "");
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}
