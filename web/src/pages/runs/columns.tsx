// The columns of the table of runs, and the choice among them.

import { useState } from "preact/hooks";
import type { Run } from "../../core/api";
import { readFilter } from "../../core/filter";
import { formatCount, formatTime, formatValue, lineageText, naturally } from "../../core/format";
import { keptOf } from "../../core/kept";
import { runs, tags } from "../../core/model";
import { useStore } from "../../core/store";
import { stateName, t as text, useText } from "../../core/text";
import { setView, view } from "../../core/view";

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
export function columnsOf(
  list: readonly Run[],
  chosen: readonly string[],
  wide: boolean,
): string[] {
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

export function Header({ column }: { column: string }) {
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
export function ColumnChooser() {
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
