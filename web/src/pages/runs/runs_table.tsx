// The table of runs: legend and selector and, if it is wide, a page of its own. The pages compare
// the selected runs.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Run } from "../../core/api";
import { getSeries } from "../../core/api_series";
import { hue, theme } from "../../core/colors";
import { readFilter } from "../../core/filter";
import { formatCount, formatTime, formatValue, lineageText, naturally } from "../../core/format";
import { keptOf } from "../../core/kept";
import {
  revision,
  runs,
  select,
  selection,
  showHidden,
  slots,
  tags,
  toggleRun,
} from "../../core/model";
import { useNumber } from "../../core/setting";
import { useEvent, useLoaded, useStore } from "../../core/store";
import { stateName, t as text, useText } from "../../core/text";
import { setView, view } from "../../core/view";
import { IconButton } from "../../widgets/icons";
import { currentRun } from "../../widgets/keys";
import { Swatch } from "../../widgets/swatch";
import { Facets, itemsOf } from "./facets";
import { openRun } from "./run_dialog";

const rowHeight = 28;
const least = 220;
const usual = 320;

/** The text of a cell. Columns are "last:loss", "lineage:optimizer", "state". */
export function cell(run: Run, column: string): string {
  const colon = column.indexOf(":");
  const kind = colon < 0 ? column : column.slice(0, colon);
  const name = column.slice(colon + 1);
  const value = run.values[name];
  switch (kind) {
    case "last":
      return value ? formatValue(value.value) : "–";
    case "min":
      return value && value.min !== null ? formatValue(value.min) : "–";
    case "max":
      return value && value.max !== null ? formatValue(value.max) : "–";
    case "lineage":
      return lineageText(run.lineage[name]);
    case "state":
      return stateName(run.state);
    case "step":
      return run.last_step === undefined ? "–" : formatCount(run.last_step);
    case "time":
      return formatTime(run.last_time);
    case "note":
      return keptOf(run.id).note ?? "–";
    case "tags":
      return keptOf(run.id).tags?.join(", ") ?? "–";
    case "objective":
      return run.objective ? cell(run, `last:${run.objective}`) : "–";
    default:
      return "";
  }
}

function sortKey(column: string): string {
  const [kind = "", ...rest] = column.split(":");
  const name = rest.join(":");
  if (kind === "lineage") return name;
  if (kind === "state" || kind === "time" || kind === "id") return kind;
  return kind === "step"
    ? "last_step"
    : `${kind}("${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}")`;
}

function columnTitle(column: string): string {
  const [kind = "", ...rest] = column.split(":");
  const name = rest.join(":");
  switch (kind) {
    case "last":
      return name;
    case "min":
      return `${text("minOf")} ${name}`;
    case "max":
      return `${text("maxOf")} ${name}`;
    case "lineage":
      return name;
    case "state":
      return text("state");
    case "step":
      return text("lastStep");
    case "time":
      return text("lastTime");
    case "objective":
      return text("objective");
    case "note":
      return text("note");
    case "tags":
      return text("runTags");
    default:
      return text("name");
  }
}

/**
 * The columns: the chosen ones, or else state, steps, objective, and the lineage that differs
 * between runs.
 */
function columnsOf(list: readonly Run[], chosen: readonly string[], wide: boolean): string[] {
  const objectives = new Set(list.flatMap((run) => run.objective || []));
  const [objective] = objectives;
  // Objectives with different names share one column, which cannot be sorted.
  const values = objectives.size > 1 ? ["objective"] : objective ? [`last:${objective}`] : [];
  if (chosen.length > 0) return wide ? [...chosen] : chosen.slice(0, 2);
  if (!wide) return values;
  const keys = new Map<string, Set<string>>();
  for (const run of list.slice(0, 500)) {
    for (const [key, value] of Object.entries(run.lineage)) {
      if (!keys.has(key)) keys.set(key, new Set());
      keys.get(key)!.add(String(value));
    }
  }
  const telling = [...keys]
    .sort((a, b) => Number(b[1].size > 1) - Number(a[1].size > 1))
    .slice(0, 10);
  const added = (["tags", "note"] as const).filter((key) =>
    list.some((run) => keptOf(run.id)[key]),
  );
  return [
    "state",
    "step",
    ...added,
    ...values,
    ...(objectives.size === 1 ? [`min:${objective}`] : []),
    ...telling.map(([key]) => `lineage:${key}`),
    "time",
  ];
}

function Header({ column }: { column: string }) {
  const t = useText();
  const { sort } = useStore(view);
  const key = sortKey(column);
  if (column === "objective" || column === "note" || column === "tags")
    return <th scope="col">{columnTitle(column)}</th>;
  const direction = sort === key ? "ascending" : sort === `-${key}` ? "descending" : undefined;
  return (
    <th scope="col" aria-sort={direction ?? "none"}>
      <button
        type="button"
        title={t("sortBy", columnTitle(column))}
        onClick={() => setView({ sort: direction === "ascending" ? `-${key}` : key })}
      >
        {columnTitle(column)}
        {direction === "ascending" ? " ↑" : direction === "descending" ? " ↓" : ""}
      </button>
    </th>
  );
}

/** A small line of the objective for each run in view. */
function useSparks(visible: readonly Run[]): ReadonlyMap<string, string> {
  const rounds = useStore(revision);
  const requests = visible.flatMap((run) =>
    run.objective ? [{ run: run.id, tag: run.objective, rank: run.ranks?.[0] ?? 0 }] : [],
  );
  const key =
    requests.length > 0 ? `${rounds} ${requests.map((request) => request.run).join("\n")}` : "";
  const { data } = useLoaded(key, () =>
    getSeries(requests, { axis: "step", from: null, to: null, columns: 24, times: false }),
  );
  const sparks = new Map<string, string>();
  for (const series of data ?? []) {
    const values = series.data?.form === "points" ? series.data.value : series.data?.last;
    if (values) sparks.set(series.run, sparkPath(values));
  }
  return sparks;
}

export function sparkPath(values: ArrayLike<number>): string {
  let lo = Infinity;
  let hi = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    lo = Math.min(lo, values[i]!);
    hi = Math.max(hi, values[i]!);
  }
  if (!(lo <= hi)) return "";
  let path = "";
  let open = false;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      open = false;
      continue;
    }
    const x = values.length > 1 ? (i / (values.length - 1)) * 48 : 24;
    const y = hi > lo ? 15 - ((values[i]! - lo) / (hi - lo)) * 14 : 8;
    // A value alone is a dot: a line without a length.
    path += open ? `L${x.toFixed(1)} ${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}h0`;
    open = true;
  }
  return path;
}

interface RowProps {
  run: Run;
  columns: readonly string[];
  slot: number | undefined;
  spark: string | undefined;
  current: boolean;
}

function Row({ run, columns, slot, spark, current }: RowProps) {
  const t = useText();
  const scheme = useStore(theme);
  return (
    <tr class={slot !== undefined ? "chosen" : ""} aria-current={current ? "true" : undefined}>
      <td class="named">
        <label class="name" title={[run.name, keptOf(run.id).note].filter(Boolean).join("\n")}>
          <input
            type="checkbox"
            checked={slot !== undefined}
            aria-label={t("select", run.name)}
            onChange={() => toggleRun(run.id)}
          />
          <Swatch slot={slot} />
          <span class="text">
            {current ? "› " : ""}
            <bdi>{run.name}</bdi>
          </span>
          {run.state !== "ended" && run.state !== "finished" && (
            <i class={`dot ${run.state}`} title={stateName(run.state)} />
          )}
          {run.damage > 0 && (
            <i
              class="dot killed"
              title={run.damage === 1 ? t("damagedOne") : t("damaged", formatCount(run.damage))}
            />
          )}
        </label>
        <IconButton
          name="more"
          label={t("runDetails", run.name)}
          onClick={() => openRun.set(run.id)}
        />
      </td>
      {columns.map((column) => (
        <td key={column} title={column === "note" ? cell(run, column) : undefined}>
          {cell(run, column)}
        </td>
      ))}
      <td>
        {spark && (
          <svg class="spark" viewBox="0 0 48 16" aria-hidden="true">
            <path
              d={spark}
              fill="none"
              stroke-linecap="round"
              stroke={slot !== undefined ? hue(scheme, slot) : "currentcolor"}
              opacity={slot !== undefined ? 1 : 0.4}
            />
          </svg>
        )}
      </td>
    </tr>
  );
}

/** The head of a group. A click selects its runs, or deselects them if all are selected. */
function GroupRow({
  name,
  value,
  members,
  span,
  picked,
}: {
  name: string;
  value: string;
  members: readonly Run[];
  span: number;
  picked: ReadonlySet<string>;
}) {
  const t = useText();
  const all = members.every((run) => picked.has(run.id));
  const values = members.flatMap((run) =>
    run.objective && Number.isFinite(run.values[run.objective]?.value)
      ? run.values[run.objective]!.value
      : [],
  );
  const objectives = new Set(members.map((run) => run.objective));
  const objective = (objectives.size === 1 ? members[0]!.objective : "") || t("objective");
  const press = () => {
    const ids = new Set(members.map((run) => run.id));
    const others = [...picked].filter((id) => !ids.has(id));
    select(all ? others : [...others, ...ids]);
  };
  return (
    <tr class="group-row">
      <th scope="rowgroup" colSpan={span}>
        <button
          type="button"
          class="plain"
          aria-pressed={all}
          title={t("groupOf", `${name} ${value}`, members.length)}
          onClick={press}
        >
          {name} {value} <span class="muted">{formatCount(members.length)}</span>
        </button>
        {values.length > 1 && (
          <span class="muted">
            {t(
              values.length < members.length ? "groupMeanOf" : "groupMean",
              objective,
              formatValue(values.reduce((a, b) => a + b, 0) / values.length),
              formatCount(values.length),
            )}
          </span>
        )}
      </th>
    </tr>
  );
}

function Rows({ wide }: { wide: boolean }) {
  const t = useText();
  const { list } = useStore(runs);
  const { columns: chosen, rowsBy } = useStore(view);
  const items = useMemo(() => itemsOf(list, rowsBy), [list, rowsBy]);
  const held = useStore(slots);
  const picked = new Set(useStore(selection));
  const current = useStore(currentRun);
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () =>
      setScroll({ top: element.scrollTop, height: element.clientHeight || 800 });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const showCurrent = useEvent(() => {
    const at = items.findIndex((item) => "run" in item && item.run.id === current);
    const element = box.current!;
    if (at < 0) return;
    const top = at * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + 2 * rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + 2 * rowHeight - element.clientHeight;
  });
  useEffect(() => showCurrent(), [current]);
  const first = Math.max(0, Math.floor(scroll.top / rowHeight) - 5);
  const last = Math.min(items.length, Math.ceil((scroll.top + scroll.height) / rowHeight) + 5);
  const visible = items.slice(first, last);
  const columns = columnsOf(list, chosen, wide);
  const sparks = useSparks(visible.flatMap((item) => ("run" in item ? item.run : [])));
  return (
    <div
      class="rows"
      ref={box}
      onScroll={(event) =>
        setScroll({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })
      }
      tabIndex={0}
      role="region"
      aria-label={t("runs")}
    >
      <table class={wide ? "runs" : "runs narrow"} aria-rowcount={items.length + 1}>
        <thead>
          <tr>
            <Header column="id" />
            {columns.map((column) => (
              <Header key={column} column={column} />
            ))}
            <th scope="col">
              <span class="hidden-text">{t("objective")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {first > 0 && (
            <tr class="spacer" aria-hidden="true">
              <td colSpan={columns.length + 2} style={{ height: `${first * rowHeight}px` }} />
            </tr>
          )}
          {visible.map((item) =>
            "run" in item ? (
              <Row
                key={item.run.id}
                run={item.run}
                columns={columns}
                slot={picked.has(item.run.id) ? held.get(item.run.id) : undefined}
                spark={sparks.get(item.run.id)}
                current={item.run.id === current}
              />
            ) : (
              <GroupRow
                key={`group ${item.value}`}
                name={rowsBy === "state" ? t("state") : rowsBy}
                value={item.value}
                members={item.members}
                span={columns.length + 2}
                picked={picked}
              />
            ),
          )}
          {last < items.length && (
            <tr class="spacer" aria-hidden="true">
              <td
                colSpan={columns.length + 2}
                style={{ height: `${(items.length - last) * rowHeight}px` }}
              />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

/** The columns that can be chosen: values of every scalar of these runs, and every key of the lineage. */
export function offeredColumns(
  list: readonly Run[],
  scalars: readonly string[],
  shown: readonly string[],
): string[] {
  const offered = new Set<string>(["state", "step", "time", "tags", "note", ...shown]);
  const names = new Set([...scalars, ...list.flatMap((run) => Object.keys(run.values))]);
  for (const tag of names) for (const kind of ["last", "min", "max"]) offered.add(`${kind}:${tag}`);
  for (const run of list) for (const key of Object.keys(run.lineage)) offered.add(`lineage:${key}`);
  return [...offered].sort(naturally);
}

const offeredAtMost = 300;

/** Chooses columns. Those that the table shows are ticked, also while it chooses them itself. */
function ColumnChooser() {
  const t = useText();
  const { list } = useStore(runs);
  const { columns } = useStore(view);
  const { list: known } = useStore(tags);
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState("");
  const shown = columnsOf(list, columns, true);
  const rule = readFilter(wanted);
  const offered = open
    ? offeredColumns(
        list.slice(0, 500),
        known.filter(({ kind }) => kind === "scalar").map(({ tag }) => tag),
        shown,
      ).filter((column) => rule.matches(columnTitle(column)))
    : [];
  const toggle = (column: string) =>
    setView({
      columns: shown.includes(column)
        ? shown.filter((other) => other !== column)
        : [...shown, column],
    });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("columns")}</summary>
      <input
        type="search"
        aria-label={t("tagFilter")}
        placeholder={t("tagFilter")}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <div class="row-tools">
        {offered.slice(0, offeredAtMost).map((column) => (
          <label key={column}>
            <input
              type="checkbox"
              checked={shown.includes(column)}
              onChange={() => toggle(column)}
            />
            {column.startsWith("last:") ? `${t("lastOf")} ` : ""}
            {columnTitle(column)}
          </label>
        ))}
        {offered.length > offeredAtMost && (
          <span class="muted">{t("andMore", formatCount(offered.length - offeredAtMost))}</span>
        )}
      </div>
    </details>
  );
}

// A query that is being written is not judged before this many milliseconds without a key.
const pause = 1500;

/** Whether somebody is writing into a field: since a key, until it is left, Enter, or a pause. */
function useWriting() {
  const [writing, setWriting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const end = () => {
    clearTimeout(timer.current);
    setWriting(false);
  };
  const begin = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(end, pause);
    setWriting(true);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { writing, begin, end };
}

export function RunsTable() {
  const t = useText();
  const state = useStore(runs);
  const chosen = useStore(selection);
  const now = useStore(view);
  const [width, setWidth] = useNumber("runs", usual);
  const [query, setQuery] = useState(now.query);
  const wide = width > 480;
  const hidden = useStore(showHidden);
  useEffect(() => setQuery(now.query), [now.query]);
  useEffect(() => {
    if (query === now.query) return;
    const timer = setTimeout(() => setView({ query }, true), 400);
    return () => clearTimeout(timer);
  }, [query, now.query]);
  const { writing, begin, end } = useWriting();
  const broken = state.error?.status === 400 && !writing ? state.error : null;
  return (
    <section class="side" aria-label={t("runs")} style={{ width: `${width}px` }}>
      <div class="tools">
        <input
          type="search"
          class="query"
          aria-label={t("query")}
          placeholder={t("query")}
          value={query}
          aria-invalid={broken !== null}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            begin();
          }}
          onBlur={end}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            setView({ query });
            end();
          }}
        />
        {broken && (
          <p class="danger" role="alert">
            {broken.message}
          </p>
        )}
        <div class="row-tools">
          <span class="muted" role="status">
            {t("runsOf", formatCount(state.matched), formatCount(state.total))}
          </span>
          <button
            type="button"
            class="plain"
            onClick={() => setWidth(wide ? usual : Math.max(least, innerWidth - 420))}
          >
            {wide ? t("narrow") : t("widen")}
          </button>
          {chosen.length > 1 && (
            <button type="button" class="plain" onClick={() => setView({ diff: true })}>
              {t("differences")}
            </button>
          )}
          {state.hidden > 0 && (
            <button
              type="button"
              class="plain"
              aria-pressed={hidden}
              onClick={() => showHidden.set(!hidden)}
            >
              {t("hiddenRuns", formatCount(state.hidden))}
            </button>
          )}
          {state.total > 1 && <Facets />}
          {wide && <ColumnChooser />}
        </div>
      </div>
      {state.loaded && state.list.length === 0 && state.total > 0 && !broken && (
        <p class="foot">{t("noMatch")}</p>
      )}
      <Rows wide={wide} />
      <div class="foot">
        <span role="status">{t("selected", formatCount(chosen.length))}</span>
        <span>
          <button
            type="button"
            class="plain"
            onClick={() => select(state.list.map((run) => run.id))}
          >
            {t("selectAll")}
          </button>
          <button type="button" class="plain" onClick={() => select([])}>
            {t("selectNone")}
          </button>
          <button type="button" class="plain" onClick={() => select(null)}>
            {t("selectFirst")}
          </button>
        </span>
      </div>
      <div
        class="grip"
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t("resize")}
        aria-valuenow={width}
        aria-valuemin={least}
        aria-valuemax={2000}
        onKeyDown={(event) => {
          if (event.key === "ArrowLeft") setWidth(Math.max(least, width - 40));
          else if (event.key === "ArrowRight") setWidth(Math.min(innerWidth - 200, width + 40));
          else return;
          event.preventDefault();
        }}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.buttons === 1)
            setWidth(Math.min(innerWidth - 200, Math.max(least, event.clientX)));
        }}
      />
    </section>
  );
}
