// The sources of graphs: a run's file, a compiler dump, or a dataset's pipeline, all with the same
// interface.

import type { DatasetStage, GraphNode, GraphNodeDetail, GraphScope } from "../../core/api";
import { get } from "../../core/http";

export interface GraphSource {
  /** Tells one graph from any other. */
  key: string;
  scope: (id: string, signal: AbortSignal) => Promise<GraphScope>;
  node: (id: string, signal: AbortSignal) => Promise<GraphNodeDetail>;
  search: (text: string, signal: AbortSignal) => Promise<{ total: number; matches: GraphNode[] }>;
}

export function runSource(run: string, graph: string): GraphSource {
  return {
    key: `${run}\n${graph}`,
    scope: (id, signal) => get("graph", { run, graph, scope: id }, signal),
    node: (id, signal) => get("graph/node", { run, graph, node: id }, signal),
    search: (text, signal) => get("graph/search", { run, graph, text, limit: 100 }, signal),
  };
}

export function dumpSource(ir: string): GraphSource {
  return {
    key: `ir\n${ir}`,
    scope: (id, signal) => get("graph", { ir, scope: id }, signal),
    node: (id, signal) => get("graph/node", { ir, node: id }, signal),
    search: (text, signal) => get("graph/search", { ir, text, limit: 100 }, signal),
  };
}

type Detail = GraphNodeDetail &
  Required<Pick<GraphNodeDetail, "attributes" | "inputs" | "outputs">>;

interface Flat {
  scopes: Map<string, GraphScope>;
  details: Map<string, Detail>;
}

const written = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const attributesOf = (parameters: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((parameters ?? {}) as Record<string, unknown>).map(([key, value]) => [
      key,
      written(value),
    ]),
  );

function detailOf(
  { id, label, kind, type }: GraphNode,
  scope: string,
  parameters: unknown,
): Detail {
  const attributes = attributesOf(parameters);
  return { id, label, kind, type: type ?? "", scope, attributes, inputs: [], outputs: [] };
}

/**
 * Turns a pipeline into a graph in the direction of the data. The operations of a stage (of a Map)
 * are inside its scope.
 */
export function flattenDataset(root: DatasetStage): Flat {
  const details = new Map<string, Detail>();
  const top: GraphScope = {
    graph: "dataset",
    kind: "dataset",
    scope: "",
    nodes_in_graph: 0,
    more: 0,
    nodes: [],
    edges: [],
    outside: [],
  };
  const scopes = new Map([["", top]]);
  const counts = new Map<string, number>();
  const visit = (node: DatasetStage): string => {
    const type = node.op_type ?? "?";
    const number = (counts.get(type) ?? 0) + 1;
    counts.set(type, number);
    const id = `${type}_${number}`;
    const operations = (node.operations ?? []) as { parameters?: Record<string, unknown> }[];
    const own: GraphNode =
      operations.length > 0
        ? { id, label: type, kind: "scope", nodes: operations.length }
        : { id, label: type, kind: "op" };
    const detail = detailOf({ ...own, type }, "", node.parameters);
    details.set(id, detail);
    top.nodes.push(own);
    if (operations.length > 0) {
      const inner: GraphScope = { ...top, scope: id, nodes: [], edges: [], outside: [] };
      operations.forEach((operation, i) => {
        const { parameters = {} } = operation;
        const name = written(
          parameters.tensor_op_name ?? parameters.op_name ?? parameters.tensor_op_module ?? i,
        );
        const inside: GraphNode = { id: `${id}/${i}_${name}`, label: name, kind: "op", type: "" };
        inner.nodes.push(inside);
        details.set(inside.id, detailOf(inside, id, parameters));
        if (i > 0) inner.edges.push({ from: inner.nodes[i - 1]!.id, to: inside.id, count: 1 });
      });
      scopes.set(id, inner);
    }
    for (const child of node.children ?? []) {
      const from = visit(child);
      top.edges.push({ from, to: id, count: 1 });
      detail.inputs.push({ node: from, control: false });
      details.get(from)!.outputs.push({ node: id, control: false });
    }
    return id;
  };
  visit(root);
  top.nodes_in_graph = details.size;
  return { scopes, details };
}

export function datasetSource(run: string): GraphSource {
  let flat: Promise<Flat> | null = null;
  const load = () =>
    (flat ??= get("dataset", { run }).then(({ dataset }) =>
      dataset ? flattenDataset(dataset) : Promise.reject(new Error("–")),
    ));
  return {
    key: `dataset\n${run}`,
    scope: async (id) => (await load()).scopes.get(id) ?? Promise.reject(new Error(id)),
    node: async (id) => (await load()).details.get(id) ?? Promise.reject(new Error(id)),
    search: async (text) => {
      const wanted = text.toLowerCase();
      const matches = [...(await load()).details.values()].filter(
        ({ id, attributes }) =>
          id.toLowerCase().includes(wanted) ||
          Object.values(attributes).some((value) => value.toLowerCase().includes(wanted)),
      );
      return {
        total: matches.length,
        matches: matches.map(({ types: _, ...node }) => node),
      };
    },
  };
}
