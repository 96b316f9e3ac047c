// Dumps of MindSpore's compiler: what each pass changed, and what differs between two.
import { useMemo, useState } from "preact/hooks";
import type { Dump, DumpChange } from "../../core/api";
import { csv, formatBytes, formatCount } from "../../core/format";
import { get } from "../../core/http";
import { saveText } from "../../core/save";
import { useLoaded } from "../../core/store";
import { useText } from "../../core/text";
import { useOwn } from "../../core/view";
import { Failed, LoadingFile } from "../../widgets/notice";

const rowsAtMost = 1000;
const changesAtMost = 500;

/** "+3 MatMul, −1 Cast": the operators that a pass added and removed, the largest change first. */
export function opsText(ops: Readonly<Record<string, number>>, most = 4): string {
  const all = Object.entries(ops)
    .filter(([, count]) => count !== 0)
    .sort(([a, x], [b, y]) => Math.abs(y) - Math.abs(x) || a.localeCompare(b));
  const text = all
    .slice(0, most)
    .map(([name, count]) => `${count > 0 ? "+" : "−"}${Math.abs(count)} ${name}`)
    .join(", ");
  return all.length > most ? `${text}, …` : text;
}

const signed = (count: number) =>
  count === 0 ? "" : count > 0 ? `+${formatCount(count)}` : `−${formatCount(-count)}`;
const nameOf = (file: string) => file.slice(file.lastIndexOf("/") + 1);

function Change({ change }: { change: DumpChange }) {
  const sign = change.change === "added" ? "+" : change.change === "removed" ? "−" : "~";
  return (
    <li class={`change ${change.change}`}>
      <code>
        {sign} {change.name} {change.statement ?? ""}
      </code>
      {change.change === "changed" &&
        (change.properties ?? []).map((one, i) => (
          <div key={i} class="muted">
            <code>
              {one.property}
              {one.position === undefined ? "" : ` ${one.position}`}
              {one.key ? ` ${one.key}` : ""}: {one.before ?? "–"} → {one.after ?? "–"}
            </code>
          </div>
        ))}
    </li>
  );
}

function Diff({ before, after }: { before: string; after: string }) {
  const t = useText();
  const { data, error } = useLoaded(`${before}\n${after}`, (signal) =>
    get("ir/diff", { before, after }, signal),
  );
  if (error) return <Failed error={error} />;
  if (!data) return <LoadingFile />;
  const counts = Object.entries(data.counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${formatCount(count)} ${name}`)
    .join(", ");
  return (
    <section class="card" aria-label={t("dumpDiff", nameOf(before), nameOf(after))}>
      <h3>{t("dumpDiff", nameOf(before), nameOf(after))}</h3>
      <p role="status">{data.equal ? t("dumpsEqual") : counts}</p>
      <ul class="plain-list changes" tabIndex={0} aria-label={t("difference")}>
        {data.changes.slice(0, changesAtMost).map((change, i) => (
          <Change key={i} change={change} />
        ))}
      </ul>
      {data.changes.length > changesAtMost && (
        <p class="muted">
          {t("pointsShown", changesAtMost, formatCount(data.changes.length + (data.left_out ?? 0)))}
        </p>
      )}
    </section>
  );
}

interface ToolbarProps {
  dumps: readonly Dump[];
  text: string;
  all: boolean;
  onText: (text: string) => void;
  onAll: (all: boolean) => void;
}

function savePasses(dumps: readonly Dump[]): void {
  const head = ["file", "kind", "statements", "change", "operators"];
  const rows = dumps.map((dump) => [
    dump.file,
    dump.kind,
    dump.statements ?? "",
    dump.delta?.statements ?? "",
    opsText(dump.delta?.ops ?? {}, 100),
  ]);
  saveText("passes.csv", csv([head, ...rows]), "text/csv");
}

function Toolbar({ dumps, text, all, onText, onAll }: ToolbarProps) {
  const t = useText();
  const changed = dumps.filter((dump) => dump.before && dump.changed).length;
  return (
    <div class="bar">
      <input
        type="search"
        class="filter"
        aria-label={t("findPass")}
        placeholder={t("findPass")}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <label>
        <input
          type="checkbox"
          checked={all}
          onChange={(event) => onAll(event.currentTarget.checked)}
        />
        {t("unchangedToo")}
      </label>
      <span class="muted" role="status">
        {t("passesSay", formatCount(dumps.length), formatCount(changed))}
      </span>
      <button type="button" onClick={() => savePasses(dumps)}>
        {t("saveCsv")}
      </button>
    </div>
  );
}

/** `most`: the statements of the longest dump. */
function PassRow({ dump, most, onShow }: { dump: Dump; most: number; onShow: () => void }) {
  const t = useText();
  const [{ dump: chosen, base }, change] = useOwn("graphs");
  const ops = dump.delta?.ops ?? {};
  return (
    <tr class={chosen === dump.id ? "chosen" : ""}>
      <td>
        <button
          type="button"
          class="plain mono"
          onClick={onShow}
          disabled={!dump.before}
          title={dump.file}
        >
          {nameOf(dump.file)}
        </button>{" "}
        <button
          type="button"
          class="plain"
          aria-label={`${t("graph")}: ${dump.file}`}
          onClick={() => change({ graph: `ir:${dump.id}`, open: [], node: "" })}
        >
          {t("graph")}
        </button>
      </td>
      <td>
        {dump.kind}
        {dump.rank === undefined ? "" : ` #${dump.rank}`}
      </td>
      <td class="share">
        {dump.error ? (
          <span class="danger">{dump.error}</span>
        ) : (
          <>
            <i style={{ width: `${(60 * (dump.statements ?? 0)) / most}%` }} />
            {formatCount(dump.statements ?? 0)}
          </>
        )}
      </td>
      <td>{signed(dump.delta?.statements ?? 0)}</td>
      <td class="cut" title={opsText(ops, 100)}>
        {opsText(ops)}
      </td>
      <td>{formatBytes(dump.bytes)}</td>
      <td>
        <input
          type="radio"
          name="before"
          checked={base === dump.id}
          aria-label={`${t("compareTo")}: ${dump.file}`}
          onChange={() => change({ base: dump.id })}
        />
      </td>
    </tr>
  );
}

/** Whether a pass is listed: one that changed something, unless all are; with the text in its name or its operators. */
function isListed(dump: Dump, all: boolean, text: string): boolean {
  const wanted = text.toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(wanted);
  return (
    (all || dump.changed || Boolean(dump.error) || !dump.before) &&
    (has(dump.file) || Object.keys(dump.delta?.ops ?? {}).some(has))
  );
}

const heads = [
  "pass",
  "type",
  "statements",
  "difference",
  "operators",
  "size",
  "compareTo",
] as const;

export function Dumps({ folder }: { folder: string }) {
  const t = useText();
  const [{ dump: chosen, base }, change] = useOwn("graphs");
  const [all, setAll] = useState(false);
  const [text, setText] = useState("");
  const { data, error } = useLoaded(
    folder,
    async (signal) => (await get("ir/timeline", { folder }, signal)).dumps,
  );
  const idOf = useMemo(() => new Map((data ?? []).map((dump) => [dump.file, dump.id])), [data]);
  if (error) return <Failed error={error} />;
  if (!data) return <LoadingFile />;
  const rows = data.filter((dump) => isListed(dump, all, text));
  const most = data.reduce((a, dump) => Math.max(a, dump.statements ?? 0), 1);
  const show = (dump: Dump) =>
    change({ dump: dump.id, base: dump.before ? (idOf.get(dump.before) ?? "") : "" });
  return (
    <>
      <Toolbar dumps={data} text={text} all={all} onText={setText} onAll={setAll} />
      <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("passes")}>
        <table class="data passes">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {t(head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, rowsAtMost).map((dump) => (
              <PassRow key={dump.id} dump={dump} most={most} onShow={() => show(dump)} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > rowsAtMost && (
        <p class="muted">{t("pointsShown", formatCount(rowsAtMost), formatCount(rows.length))}</p>
      )}
      {chosen && base && chosen !== base && <Diff before={base} after={chosen} />}
    </>
  );
}
