// Layered layout of one scope: cycles are cut, each node is below its dependencies, and crossings
// are reduced.

export interface Box {
  id: string;
  width: number;
  height: number;
}
export interface Link {
  from: string;
  to: string;
}
export interface Laid {
  x: Map<string, number>;
  y: Map<string, number>;
  width: number;
  height: number;
}

const gapX = 24;
const gapY = 44;
const sweeps = 4;
// A larger layer is broken into rows: 500 boxes side by side would be too small to see.
const rowAtMost = 12;

/**
 * The layer of each node: its longest path, without links that close a cycle. Iterative, since
 * graphs may be deep.
 */
export function layersOf(ids: readonly string[], links: readonly Link[]): Map<string, number> {
  const next = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { from, to } of links) if (from !== to && next.has(to)) next.get(from)?.push(to);
  const state = new Map<string, 1 | 2>();
  const finished: string[] = [];
  const back = new Set<string>();
  for (const root of ids) {
    if (state.has(root)) continue;
    const stack: { id: string; at: number }[] = [{ id: root, at: 0 }];
    state.set(root, 1);
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const child = next.get(top.id)![top.at++];
      if (child === undefined) {
        state.set(top.id, 2);
        finished.push(top.id);
        stack.pop();
      } else if (!state.has(child)) {
        state.set(child, 1);
        stack.push({ id: child, at: 0 });
      } else if (state.get(child) === 1) {
        back.add(`${top.id}\n${child}`);
      }
    }
  }
  const layer = new Map<string, number>(ids.map((id) => [id, 0]));
  for (let i = finished.length - 1; i >= 0; i--) {
    const id = finished[i]!;
    for (const child of next.get(id)!) {
      if (!back.has(`${id}\n${child}`))
        layer.set(child, Math.max(layer.get(child)!, layer.get(id)! + 1));
    }
  }
  return layer;
}

/** Orders the nodes of each layer by the mean place of their neighbours, down and up. */
function ordered(layers: string[][], links: readonly Link[]): void {
  const above = new Map<string, string[]>();
  const below = new Map<string, string[]>();
  for (const { from, to } of links) {
    if (!above.has(to)) above.set(to, []);
    if (!below.has(from)) below.set(from, []);
    above.get(to)!.push(from);
    below.get(from)!.push(to);
  }
  const place = new Map<string, number>();
  const note = (list: string[]) =>
    list.forEach((id, i) => place.set(id, i / Math.max(1, list.length - 1)));
  layers.forEach(note);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const down = sweep % 2 === 0;
    const neighbours = down ? above : below;
    for (const list of down ? layers : [...layers].reverse()) {
      const key = new Map(
        list.map((id) => {
          const near = neighbours.get(id) ?? [];
          return [
            id,
            near.length > 0
              ? near.reduce((sum, other) => sum + (place.get(other) ?? 0), 0) / near.length
              : place.get(id)!,
          ];
        }),
      );
      list.sort((a, b) => key.get(a)! - key.get(b)!);
      note(list);
    }
  }
}

/** The upper left corners of the boxes, and the size of all together. */
export function layOutScope(boxes: readonly Box[], links: readonly Link[]): Laid {
  const size = new Map(boxes.map((box) => [box.id, box]));
  const known = links.filter(({ from, to }) => size.has(from) && size.has(to));
  const layer = layersOf(
    boxes.map((box) => box.id),
    known,
  );
  const layers: string[][] = [];
  for (const box of boxes) {
    const at = layer.get(box.id)!;
    layers[at] ??= [];
    layers[at].push(box.id);
  }
  ordered(layers, known);
  const rows = layers.flatMap((list) => {
    const parts: string[][] = [];
    for (let i = 0; i < list.length; i += rowAtMost) parts.push(list.slice(i, i + rowAtMost));
    return parts;
  });
  const widths = rows.map(
    (row) => row.reduce((sum, id) => sum + size.get(id)!.width, 0) + gapX * (row.length - 1),
  );
  const width = Math.max(0, ...widths);
  const laid: Laid = { x: new Map(), y: new Map(), width, height: 0 };
  let y = 0;
  rows.forEach((row, i) => {
    let x = (width - widths[i]!) / 2;
    const tallest = Math.max(...row.map((id) => size.get(id)!.height));
    for (const id of row) {
      laid.x.set(id, x);
      laid.y.set(id, y + (tallest - size.get(id)!.height) / 2);
      x += size.get(id)!.width + gapX;
    }
    y += tallest + gapY;
  });
  laid.height = Math.max(0, y - gapY);
  return laid;
}
