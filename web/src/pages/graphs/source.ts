// Where a graph comes from: a run's file, a dump of the compiler, or a dataset's pipeline. All answer the same questions.

import type { DatasetNode, GraphNode, GraphNodeDetail, GraphScope } from "../../core/api";
import * as api from "../../core/api";

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
    scope: (id, signal) => api.getGraphScope({ run, graph }, id, signal),
    node: (id, signal) => api.getGraphNode({ run, graph }, id, signal),
    search: (text, signal) => api.searchGraph({ run, graph }, text, signal),
  };
}

export function dumpSource(ir: string): GraphSource {
  return {
    key: `ir\n${ir}`,
    scope: (id, signal) => api.getGraphScope({ ir }, id, signal),
    node: (id, signal) => api.getGraphNode({ ir }, id, signal),
    search: (text, signal) => api.searchGraph({ ir }, text, signal),
  };
}

interface Flat {
  scopes: Map<string, GraphScope>;
  details: Map<string, GraphNodeDetail>;
}

const written = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const attributesOf = (parameters: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((parameters ?? {}) as Record<string, unknown>).map(([key, value]) => [
      key,
      written(value),
    ]),
  );

/**
 * A pipeline as a graph, in the order in which data runs through it. The operations within a step (of a Map) are what
 * unfolds.
 */
export function flattenDataset(root: DatasetNode): Flat {
  const details = new Map<string, GraphNodeDetail>();
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
  const visit = (node: DatasetNode): string => {
    const type = node.op_type ?? "?";
    const number = (counts.get(type) ?? 0) + 1;
    counts.set(type, number);
    const id = `${type}_${number}`;
    const operations = (node.operations ?? []) as { parameters?: Record<string, unknown> }[];
    const own: GraphNode =
      operations.length > 0
        ? { id, label: type, kind: "scope", nodes: operations.length }
        : { id, label: type, kind: "op" };
    const detail: GraphNodeDetail = {
      ...own,
      type,
      scope: "",
      attributes: attributesOf(node.parameters),
      inputs: [],
      outputs: [],
    };
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
        details.set(inside.id, {
          ...inside,
          scope: id,
          attributes: attributesOf(parameters),
          inputs: [],
          outputs: [],
        });
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
    (flat ??= api
      .getDataset(run)
      .then(({ dataset }) => (dataset ? flattenDataset(dataset) : Promise.reject(new Error("–")))));
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
      return { total: matches.length, matches };
    },
  };
}
