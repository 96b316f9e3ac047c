// Repeated blocks: scopes of one parent whose names differ only in numbers are drawn as one box.
import type { GraphNode, GraphScope } from "../../core/api";

const atLeast = 3;

const mark = "×";

/** The name of a merged box in the list of open scopes. */
export const repeatKey = (scope: string, pattern: string) => `${scope}${mark}${pattern}`;
export const isRepeatKey = (id: string) => id.includes(mark);

const patternOf = (node: GraphNode) =>
  `${node.label.replace(/\d+/g, "#")} ${node.nodes ?? 0} ${JSON.stringify(node.types ?? {})}`;

/**
 * Merges each group of at least three similar scopes into one box, unless the group or one of its
 * scopes is open or contains `show`.
 */
export function foldRepeats(
  scope: GraphScope,
  open: ReadonlySet<string>,
  show: string,
): GraphScope {
  const groups = new Map<string, GraphNode[]>();
  for (const node of scope.nodes) {
    if (node.kind !== "scope" || !/\d/.test(node.label)) continue;
    const pattern = patternOf(node);
    groups.set(pattern, [...(groups.get(pattern) ?? []), node]);
  }
  const stands = new Map<string, GraphNode>();
  for (const [pattern, members] of groups) {
    const key = repeatKey(scope.scope, pattern);
    if (
      members.length < atLeast ||
      open.has(key) ||
      members.some(({ id }) => open.has(id) || id === show)
    )
      continue;
    const first = members[0]!;
    const box: GraphNode = {
      ...first,
      id: key,
      label: `${first.label} … × ${members.length}`,
      nodes: members.reduce((sum, { nodes }) => sum + (nodes ?? 0), 0),
    };
    for (const member of members) stands.set(member.id, box);
  }
  if (stands.size === 0) return scope;
  const nameOf = (id: string) => stands.get(id)?.id ?? id;
  const edges = new Map<string, GraphScope["edges"][number]>();
  for (const edge of scope.edges) {
    const [from, to] = [nameOf(edge.from), nameOf(edge.to)];
    if (from === to) continue;
    const name = `${from}\n${to}\n${edge.control}`;
    const known = edges.get(name);
    edges.set(name, known ? { ...known, count: known.count + edge.count } : { ...edge, from, to });
  }
  const nodes = [...new Set(scope.nodes.map((node) => stands.get(node.id) ?? node))];
  return { ...scope, nodes, edges: [...edges.values()] };
}

export type Part = "" | "forward" | "backward";

const backward = /^(gradients?|optimizer|train)(\/|$|_)/i;

/** The part of a graph that computes values, or the part that computes gradients and updates. */
export function partOf(scope: GraphScope, part: Part): GraphScope {
  if (part === "") return scope;
  const nodes = scope.nodes.filter(({ id }) => backward.test(id) === (part === "backward"));
  const there = new Set(nodes.map(({ id }) => id));
  return {
    ...scope,
    nodes,
    edges: scope.edges.filter(({ from, to }) => there.has(from) && there.has(to)),
  };
}

export function hasBackward(scope: GraphScope): boolean {
  const found = scope.nodes.filter(({ id }) => backward.test(id)).length;
  return found > 0 && found < scope.nodes.length;
}
