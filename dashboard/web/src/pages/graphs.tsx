// Graphs: computational and dataset graphs. Scopes unfold in place, search opens the way to what it finds.
import { useEffect, useMemo, useState } from "preact/hooks";
import { getGraphNode, getGraphScope, getRun, searchGraph, type GraphNode, type GraphNodeDetail, type GraphScope } from "../api";
import { formatCount } from "../format";
import { GraphView } from "../graph/graph_view";
import { ancestorsOf } from "../graph/scene";
import { runOf, selection } from "../model";
import { Empty, Failed, Loading } from "../parts/notice";
import { useLoaded, useStore } from "../store";
import { useText } from "../text";
import { setView, view } from "../view";

export const recordGraph = `from sightline.mindspore import SummaryCollector
model.train(1, dataset, callbacks=[SummaryCollector("output/run")])`;

/** The root and every open scope, asked for once each. */
function useScopes(run: string, graph: string, open: readonly string[]) {
  const [scopes, setScopes] = useState<ReadonlyMap<string, GraphScope>>(new Map());
  const [error, setError] = useState<Error | null>(null);
  const key = `${run}\n${graph}`;
  useEffect(() => {
    setScopes(new Map());
    setError(null);
  }, [key]);
  useEffect(() => {
    if (graph === "") return;
    const abort = new AbortController();
    for (const scope of ["", ...open]) {
      if (scopes.has(scope)) continue;
      getGraphScope(run, graph, scope, abort.signal).then(
        (loaded) => {
          if (!abort.signal.aborted) setScopes((old) => new Map(old).set(scope, loaded));
        },
        (problem: Error) => {
          if (!abort.signal.aborted) setError(problem);
        },
      );
    }
    return () => abort.abort();
  }, [key, open.join("\n")]);
  return { scopes, error };
}

function Neighbours({ title, list, onGo }: { title: string; list: readonly { node: string; control: boolean; shape?: string }[]; onGo: (id: string) => void }) {
  if (list.length === 0) return null;
  return (
    <>
      <h3>{title} {formatCount(list.length)}</h3>
      <ul>
        {list.slice(0, 200).map((entry, i) => (
          <li key={i}><button type="button" onClick={() => onGo(entry.node)}>{entry.node}</button> <span class="muted">{entry.shape ?? ""}</span></li>
        ))}
      </ul>
    </>
  );
}

function Detail({ node, onGo }: { node: GraphNodeDetail; onGo: (id: string) => void }) {
  const t = useText();
  const attributes = Object.entries(node.attributes ?? {});
  return (
    <>
      <h2 class="mono">{node.label}</h2>
      <dl><dt>{t("type")}</dt><dd>{node.type ?? node.kind}</dd><dt>{t("nodeName")}</dt><dd class="mono">{node.id}</dd></dl>
      {attributes.length > 0 && <h3>{t("attributes")}</h3>}
      <dl>{attributes.map(([key, value]) => [<dt>{key}</dt>, <dd class="mono">{typeof value === "string" ? value : JSON.stringify(value)}</dd>])}</dl>
      <Neighbours title={t("inputs")} list={node.inputs ?? []} onGo={onGo} />
      <Neighbours title={t("outputs")} list={node.outputs ?? []} onGo={onGo} />
    </>
  );
}

function Search({ run, graph, onGo }: { run: string; graph: string; onGo: (node: GraphNode) => void }) {
  const t = useText();
  const [text, setText] = useState("");
  const { data, error } = useLoaded(text.trim() === "" ? "" : `${run}\n${graph}\n${text}`, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    return signal.aborted ? { total: 0, matches: [] } : searchGraph(run, graph, text, signal);
  });
  return (
    <>
      <input type="search" class="filter" aria-label={t("findNode")} placeholder={t("findNode")} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      {error && <Failed error={error} />}
      {data && text !== "" && (
        <>
          <p class="muted" role="status">{t("matches", formatCount(data.total))}</p>
          <ul>{data.matches.map((match) => <li key={match.id}><button type="button" onClick={() => onGo(match)}>{match.id}</button> <span class="muted">{match.type ?? ""}</span></li>)}</ul>
        </>
      )}
    </>
  );
}

function OneGraph({ run, graph, onFailed }: { run: string; graph: string; onFailed: () => void }) {
  const t = useText();
  const now = useStore(view);
  const { scopes, error } = useScopes(run, graph, now.open);
  const open = useMemo(() => new Set(now.open), [now.open.join("\n")]);
  const chosen = now.mode;
  const detail = useLoaded(chosen === "" ? "" : `${run}\n${graph}\n${chosen}`, (signal) => getGraphNode(run, graph, chosen, signal));
  const root = scopes.get("");
  const go = (id: string, scope?: string) => {
    const way = ancestorsOf(scope ?? id.split("/").slice(0, -1).join("/"));
    setView({ mode: id, open: [...new Set([...now.open, ...way])] });
  };
  const toggle = (node: GraphNode) => {
    if (node.kind !== "scope") return;
    const inside = (id: string) => id === node.id || id.startsWith(`${node.id}/`);
    setView({ open: open.has(node.id) ? now.open.filter((id) => !inside(id)) : [...now.open, node.id] });
  };
  useEffect(() => {
    if (error && !root) onFailed();
  }, [error]);
  if (!root) return error ? <Failed error={error} /> : <Loading />;
  return (
    <div class="graph-page">
      <GraphView root={root} scopes={scopes} open={open} chosen={chosen} onChoose={(node) => setView({ mode: node.id }, true)} onToggle={toggle} onFoldAll={() => setView({ open: [] })} />
      <aside class="graph-side" tabIndex={0} aria-label={t("attributes")}>
        <Search run={run} graph={graph} onGo={(node) => go(node.id, node.scope)} />
        {error && <Failed error={error} />}
        {chosen === "" && <p class="muted">{t("selectNode")}</p>}
        {chosen !== "" && detail.error && <Failed error={detail.error} />}
        {chosen !== "" && detail.data && <Detail node={detail.data} onGo={(id) => go(id)} />}
        <details>
          <summary>{t("nodeList")}</summary>
          <table class="data">
            <thead><tr><th scope="col">{t("nodeName")}</th><th scope="col">{t("type")}</th></tr></thead>
            <tbody>{[...scopes.values()].flatMap((scope) => scope.nodes).slice(0, 500).map((node) => <tr key={node.id}><td>{node.id}</td><td>{node.type ?? node.kind}</td></tr>)}</tbody>
          </table>
        </details>
      </aside>
    </div>
  );
}

export function Graphs() {
  const t = useText();
  const selected = useStore(selection);
  const now = useStore(view);
  // Graphs stand in a run's own answer: that of the first runs is enough to find one.
  const { data, error } = useLoaded(selected.slice(0, 20).join("\n"), async (signal) => {
    const runs = await Promise.all(selected.slice(0, 20).map((id) => getRun(id, signal)));
    return runs.flatMap((run) => (run.graphs ?? []).map((graph) => ({ run: run.id, ...graph })));
  });
  // Some graphs are listed and cannot be shown: while none is chosen, the first that can.
  const [failed, setFailed] = useState<readonly string[]>([]);
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const nameOf = (graph: { run: string; graph: string }) => `${graph.run}\n${graph.graph}`;
  const chosen = data.find((graph) => graph.run === now.run && graph.graph === now.item)
    ?? data.find((graph) => !failed.includes(nameOf(graph))) ?? data[0];
  if (!chosen) return <Empty title={t("noGraphs")} code={recordGraph} />;
  const name = (kind: string) => (kind === "dataset" ? t("dataset") : t("computational"));
  return (
    <>
      <div class="bar">
        <label>
          {t("graph")}
          <select value={`${chosen.run}\n${chosen.graph}`} onChange={(event) => {
            const [run = "", item = ""] = event.currentTarget.value.split("\n");
            setView({ run, item, open: [], mode: "" });
          }}>
            {data.map((graph) => (
              <option key={`${graph.run}\n${graph.graph}`} value={`${graph.run}\n${graph.graph}`}>{runOf(graph.run)?.name ?? graph.run}: {name(graph.kind)} {graph.title}</option>
            ))}
          </select>
        </label>
      </div>
      <OneGraph key={`${chosen.run}\n${chosen.graph}`} run={chosen.run} graph={chosen.graph} onFailed={() => setFailed((old) => [...old, nameOf(chosen)])} />
    </>
  );
}
