// A flame graph: stacks with their own time as boxes below their callers.

export interface Stack {
  stack: string;
  nanos: number;
  count: number;
}
export interface Frame {
  name: string;
  /** The names from the outermost on. */
  path: string;
  total: number;
  own: number;
  count: number;
  children: Frame[];
}
export interface Box {
  frame: Frame;
  depth: number;
  from: number;
  share: number;
}

/**
 * The stacks as a tree. A frame's total includes the calls that it made. Children are sorted by
 * falling total.
 */
export function treeOf(stacks: readonly Stack[], name: string): Frame {
  const root: Frame = { name, path: "", total: 0, own: 0, count: 0, children: [] };
  const known = new Map<string, Frame>([["", root]]);
  for (const { stack, nanos, count } of stacks) {
    let at = root;
    at.total += nanos;
    for (const part of stack.split(";")) {
      const path = `${at.path};${part}`;
      let next = known.get(path);
      if (!next) {
        next = { name: part, path, total: 0, own: 0, count: 0, children: [] };
        known.set(path, next);
        at.children.push(next);
      }
      next.total += nanos;
      at = next;
    }
    at.own += nanos;
    at.count += count;
  }
  for (const frame of known.values()) frame.children.sort((a, b) => b.total - a.total);
  return root;
}

export function frameAt(root: Frame, path: string): Frame {
  let at = root;
  for (const part of path.split(";").slice(1)) {
    const next = at.children.find(({ name }) => name === part);
    if (!next) return root;
    at = next;
  }
  return at;
}

/** Boxes that take at least the share `least` of the width, row by row. */
export function boxesOf(root: Frame, least: number): Box[] {
  const boxes: Box[] = [];
  let row: Box[] = [{ frame: root, depth: 0, from: 0, share: 1 }];
  while (row.length > 0) {
    boxes.push(...row);
    row = row.flatMap(({ frame, depth, from, share }) => {
      let at = from;
      return frame.children.flatMap((child) => {
        const width = frame.total > 0 ? (share * child.total) / frame.total : 0;
        const box = { frame: child, depth: depth + 1, from: at, share: width };
        at += width;
        return width >= least ? [box] : [];
      });
    });
  }
  return boxes;
}
