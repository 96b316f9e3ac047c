// Graphs: computational and dataset graphs. Scopes unfold in place; a search unfolds the scopes of
// its result.
import { Fragment } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type GraphNode, type GraphNodeDetail, type GraphScope, getRunFacts } from "../../core/api";
import { recordGraph } from "../../core/examples";
import { formatCount } from "../../core/format";
import { get } from "../../core/http";
import { runOf, selection, status } from "../../core/model";
import { useSetting } from "../../core/setting";
import { useEvent, useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { lasting, setView, useOwn, view, withOwn } from "../../core/view";
import { defaultView } from "../../core/view_state";
import { Empty, Failed, Loading, LoadingFile } from "../../widgets/notice";
import { Dumps } from "./dumps";
import { GraphView } from "./graph_view";
import { hasBackward, isRepeatKey, type Part, partOf } from "./repeats";
import { ancestorsOf } from "./scene";
import { datasetSource, dumpSource, type GraphSource, runSource } from "./source";

/** Loads the root and every open scope once. */
function useScopes(source: GraphSource, open: readonly string[]) {
  const [scopes, setScopes] = useState<ReadonlyMap<string, GraphScope>>(new Map());
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    setScopes(new Map());
    setError(null);
  }, [source]);
  const missing = useEvent(() =>
    ["", ...open].filter((scope) => !scopes.has(scope) && !isRepeatKey(scope)),
  );
  useEffect(() => {
    const abort = new AbortController();
    for (const scope of missing()) {
      source.scope(scope, abort.signal).then(
        (loaded) => {
          if (abort.signal.aborted) return;
          setScopes((old) => {
            const all = new Map(old);
            for (let one: GraphScope | undefined = loaded; one; one = one.only)
              all.set(one.scope, one);
            return all;
          });
        },
        (problem: Error) => {
          if (!abort.signal.aborted) setError(problem);
        },
      );
    }
    return () => abort.abort();
  }, [source, open.join("\n")]);
  return { scopes, error };
}

/** "path:line", with the lines around it if the server has the file. */
function Location({ at }: { at: string }) {
  const t = useText();
  const known = useStore(status);
  const [open, setOpen] = useState(false);
  const colon = at.lastIndexOf(":");
  const [path, line] = [at.slice(0, colon), Number(at.slice(colon + 1))];
  const { data, error } = useLoaded(open ? at : "", (signal) =>
    get("source", { path, line }, signal),
  );
  return (
    <>
      <p>
        <code>{at}</code>
        {known?.source && (
          <button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t("sourceText")}
          </button>
        )}
      </p>
      {open && error && <Failed error={error} />}
      {open && data && (
        <pre class="recorded source" tabIndex={0} role="group" aria-label={at}>
          {data.lines.map((text, i) => (
            <div key={i} class={data.first + i === line ? "here" : ""}>
              <span class="muted">{data.first + i}</span> {text}
            </div>
          ))}
        </pre>
      )}
    </>
  );
}

function Neighbours({
  title,
  list,
  onGo,
}: {
  title: string;
  list: readonly { node: string; control: boolean; shape?: string }[];
  onGo: (id: string) => void;
}) {
  if (list.length === 0) return null;
  return (
    <>
      <h3>
        {title} {formatCount(list.length)}
      </h3>
      <ul>
        {list.slice(0, 200).map((entry, i) => (
          <li key={i}>
            <button type="button" onClick={() => onGo(entry.node)}>
              {entry.node}
            </button>{" "}
            <span class="muted">{entry.shape ?? ""}</span>
          </li>
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
      <dl>
        <dt>{t("type")}</dt>
        <dd>{node.type ?? node.kind}</dd>
        <dt>{t("nodeName")}</dt>
        <dd class="mono">{node.id}</dd>
      </dl>
      {(node.locations ?? []).map((at) => (
        <Location key={at} at={at} />
      ))}
      {attributes.length > 0 && <h3>{t("attributes")}</h3>}
      <dl>
        {attributes.map(([key, value]) => (
          <Fragment key={key}>
            <dt>{key}</dt>
            <dd class="mono">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </Fragment>
        ))}
      </dl>
      <Neighbours title={t("inputs")} list={node.inputs ?? []} onGo={onGo} />
      <Neighbours title={t("outputs")} list={node.outputs ?? []} onGo={onGo} />
    </>
  );
}

function Search({ source, onGo }: { source: GraphSource; onGo: (node: GraphNode) => void }) {
  const t = useText();
  const [text, setText] = useState("");
  const { data, error } = useLoaded(text.trim() === "" ? "" : `${source.key}\n${text}`, (signal) =>
    source.search(text, signal),
  );
  return (
    <>
      <input
        type="search"
        class="filter"
        aria-label={t("findNode")}
        placeholder={t("findNode")}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {error && <Failed error={error} />}
      {data && text !== "" && (
        <>
          <p class="muted" role="status">
            {t("matches", formatCount(data.total))}
          </p>
          <ul>
            {data.matches.map((match) => (
              <li key={match.id}>
                <button type="button" onClick={() => onGo(match)}>
                  {match.id}
                </button>{" "}
                <span class="muted">{match.type ?? ""}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function OneGraph({ source, onFailed }: { source: GraphSource; onFailed: () => void }) {
  const t = useText();
  const [{ open: unfolded, node: chosen }, change] = useOwn("graphs");
  const { scopes, error } = useScopes(source, unfolded);
  const listedOpen = unfolded.join("\n");
  const open = useMemo(() => new Set(listedOpen.split("\n").filter(Boolean)), [listedOpen]);
  const [written, setPart] = useSetting("part");
  const part: Part = written === "forward" || written === "backward" ? written : "";
  const [listed, setListed] = useState(false);
  const real = chosen !== "" && !isRepeatKey(chosen);
  const detail = useLoaded(real ? `${source.key}\n${chosen}` : "", (signal) =>
    source.node(chosen, signal),
  );
  const whole = scopes.get("");
  const root = useMemo(() => whole && partOf(whole, part), [whole, part]);
  // A single box is unfolded, and so is a single box in it, up to the first scope with several.
  const first = useRef(unfolded.length === 0);
  const unfold = useEvent(() => {
    const all = new Set(unfolded);
    for (let at = whole; first.current && at; ) {
      const [only] = at.nodes;
      if (at.nodes.length !== 1 || only?.kind !== "scope") first.current = false;
      else all.add(only.id);
      at = only && scopes.get(only.id);
    }
    if (all.size > unfolded.length) change({ open: [...all] }, true);
  });
  useEffect(() => unfold(), [scopes]);
  const go = (id: string, scope?: string) => {
    const way = ancestorsOf(scope ?? id.split("/").slice(0, -1).join("/"));
    change({ node: id, open: [...new Set([...unfolded, ...way])] });
  };
  const toggle = (node: GraphNode) => {
    first.current = false;
    if (node.kind !== "scope") return;
    const inside = (id: string) => id === node.id || id.startsWith(`${node.id}/`);
    change({
      open: open.has(node.id) ? unfolded.filter((id) => !inside(id)) : [...unfolded, node.id],
    });
  };
  const fail = useEvent(() => {
    if (error && !root) onFailed();
  });
  useEffect(() => fail(), [error]);
  if (!root) return error ? <Failed error={error} /> : <LoadingFile />;
  return (
    <div class="graph-page">
      <GraphView
        key={part}
        root={root}
        scopes={scopes}
        open={open}
        chosen={chosen}
        onChoose={(node) => change({ node: node.id }, true)}
        onToggle={toggle}
        onFoldAll={() => {
          first.current = false;
          change({ open: [] });
        }}
      />
      <aside class="graph-side" tabIndex={0} aria-label={t("attributes")}>
        <Search source={source} onGo={(node) => go(node.id, node.scope)} />
        {error && <Failed error={error} />}
        {whole && hasBackward(whole) && (
          <label class="part">
            {t("part")}{" "}
            <select value={part} onChange={(event) => setPart(event.currentTarget.value)}>
              <option value="">{t("partAll")}</option>
              <option value="forward">{t("partForward")}</option>
              <option value="backward">{t("partBackward")}</option>
            </select>
          </label>
        )}
        {!real && <p class="muted">{t("selectNode")}</p>}
        {real && detail.error && <Failed error={detail.error} />}
        {real && detail.data && <Detail node={detail.data} onGo={(id) => go(id)} />}
        <details onToggle={(event) => setListed(event.currentTarget.open)}>
          <summary>{t("nodeList")}</summary>
          {listed && (
            <table class="data">
              <thead>
                <tr>
                  <th scope="col">{t("nodeName")}</th>
                  <th scope="col">{t("type")}</th>
                </tr>
              </thead>
              <tbody>
                {[...scopes.values()]
                  .flatMap((scope) => scope.nodes)
                  .slice(0, 500)
                  .map((node) => (
                    <tr key={node.id}>
                      <td>{node.id}</td>
                      <td>{node.type ?? node.kind}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          )}
        </details>
      </aside>
    </div>
  );
}

/** "step 3" in the page's language. */
const stepIn = (t: ReturnType<typeof useText>, title: string) =>
  title.startsWith("step ") ? t("stepAt", title.slice(5)) : title;

interface Choice {
  value: string;
  label: string;
  run: string;
  item: string;
}

/** The choices: graphs of the selected runs, and all folders of dumps. */
function useChoices(): { choices: Choice[] | null; error: Error | null } {
  const t = useText();
  const selected = useStore(selection);
  // The list of graphs needs a request for each run, so only the first runs are asked.
  const graphs = useLoaded(
    selected.length === 0 ? "" : selected.slice(0, 20).join("\n"),
    async (signal) => {
      const runs = await Promise.all(selected.slice(0, 20).map((id) => getRunFacts(id, signal)));
      return runs.flatMap((run) => (run.graphs ?? []).map((graph) => ({ run: run.id, ...graph })));
    },
  );
  const folders = useLoaded("folders", async (signal) => (await get("ir", {}, signal)).folders);
  if ((!graphs.data && selected.length > 0 && !graphs.error) || (!folders.data && !folders.error))
    return { choices: null, error: null };
  const choice = (run: string, item: string, label: string): Choice => ({
    value: `${run}\n${item}`,
    label,
    run,
    item,
  });
  return {
    error: graphs.error,
    choices: [
      ...(graphs.data ?? []).map(({ run, graph, kind, title }) =>
        choice(
          run,
          graph,
          `${runOf(run)?.name ?? run}: ${kind === "dataset" ? t("dataset") : `${t("computational")}${t("listComma")}${stepIn(t, title)}`}`,
        ),
      ),
      ...(folders.data ?? []).map(({ folder, files }) =>
        choice(
          folder,
          "ir",
          `${folder}: ${files === 1 ? t("dumpsOne") : t("dumpsOf", formatCount(files))}`,
        ),
      ),
    ],
  };
}

export function Graphs() {
  const t = useText();
  const [own, change] = useOwn("graphs");
  const selected = useStore(selection);
  const { choices, error } = useChoices();
  // Some listed graphs cannot be shown. Unless one was chosen, the first that can be shown is.
  const [failed, setFailed] = useState<readonly string[]>([]);
  const ofDump = own.graph.startsWith("ir:") ? own.graph.slice(3) : "";
  const chosen =
    choices?.find(({ run, item }) => run === own.run && item === (ofDump ? "ir" : own.graph)) ??
    choices?.find(({ value }) => !failed.includes(value)) ??
    choices?.[0];
  const { run, item } = chosen ?? { run: "", item: "ir" };
  const source = useMemo(() => {
    if (ofDump) return dumpSource(ofDump);
    if (item === "ir") return null;
    return item === "dataset" ? datasetSource(run) : runSource(run, item);
  }, [run, item, ofDump]);
  if (!choices) return <Loading />;
  if (selected.length === 0 && !ofDump && !chosen) return <Empty title={t("noneSelected")} />;
  if (!chosen)
    return error ? <Failed error={error} /> : <Empty title={t("noGraphs")} code={recordGraph} />;
  return (
    <>
      {selected.length === 0 && <p class="muted">{t("noneSelected")}</p>}
      <div class="bar">
        <label>
          {t("graph")}
          <select
            aria-label={t("graph")}
            value={chosen.value}
            onChange={(event) => {
              const [run = "", item = ""] = event.currentTarget.value.split("\n");
              setView({
                own: withOwn("graphs", { ...defaultView.own.graphs, run, graph: item }),
                settings: lasting(view.get().settings),
              });
            }}
          >
            {choices.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {ofDump && (
          <button type="button" onClick={() => change({ graph: "ir", open: [], node: "" })}>
            {t("backToPasses")}
          </button>
        )}
        {ofDump && <code>{ofDump}</code>}
      </div>
      {source ? (
        <OneGraph
          key={source.key}
          source={source}
          onFailed={() => setFailed((old) => [...old, chosen.value])}
        />
      ) : (
        <Dumps folder={chosen.run} />
      )}
    </>
  );
}
