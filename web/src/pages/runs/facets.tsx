// Facets of the runs: a button for each lineage value that filters by it, and the key that groups
// the table.
import { useMemo, useState } from "preact/hooks";
import type { LineageValue, Run } from "../../core/api";
import { formatCount, keepEnd, lineageText, naturally, shortValue } from "../../core/format";
import { runs } from "../../core/model";
import { toQuery } from "../../core/query";
import { useStore } from "../../core/store";
import { stateName, useText } from "../../core/text";
import { setView, view } from "../../core/view";

const valuesAtMost = 12;
const facetsAtMost = 30;
const ownNames = new Set([
  "name",
  "directory",
  "state",
  "damaged",
  "started",
  "ended",
  "duration",
  "last_step",
  "and",
  "or",
  "not",
  "in",
  "true",
  "false",
]);

/** A run's value for a key: its state, or its lineage. */
export function valueUnder(run: Run, key: string): LineageValue {
  return key === "state" ? run.state : (run.lineage[key] ?? null);
}

export interface Facet {
  key: string;
  values: readonly { value: LineageValue; count: number }[];
}

/**
 * Keys with few values, the fewest first, and the number of runs of each value, in the order of the
 * values. Values in the query stay, so that they can be removed from it.
 */
export function facetsOf(list: readonly Run[], held: readonly string[] = []): Facet[] {
  const keys = new Map<string, Map<LineageValue, number>>();
  const note = (key: string, value: LineageValue) => {
    const counts = keys.get(key) ?? new Map<LineageValue, number>();
    // Counting stops at one more than are shown: such a key is not a facet.
    if (counts.has(value) || counts.size <= valuesAtMost)
      counts.set(value, (counts.get(value) ?? 0) + 1);
    keys.set(key, counts);
  };
  for (const run of list) {
    note("state", run.state);
    for (const [key, value] of Object.entries(run.lineage)) if (value !== null) note(key, value);
  }
  const asked = (key: string, counts: ReadonlyMap<LineageValue, number>) =>
    [...counts.keys()].some((value) => held.includes(termOf(key, value)));
  return [...keys]
    .filter(
      ([key, counts]) =>
        asked(key, counts) ||
        (counts.size > 1 && counts.size <= valuesAtMost && counts.size < list.length),
    )
    .sort(
      (a, b) =>
        Number(b[0] === "state") - Number(a[0] === "state") ||
        a[1].size - b[1].size ||
        a[0].localeCompare(b[0]),
    )
    .slice(0, facetsAtMost)
    .map(([key, counts]) => ({
      key,
      values: [...counts]
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => naturally(String(a.value), String(b.value))),
    }));
}

/** The query (docs/query.md) for the runs with this value. */
export function termOf(key: string, value: LineageValue): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(key);
  const name =
    key === "state" ? key : ownNames.has(key) ? `lineage.${key}` : plain ? key : `\`${key}\``;
  return `${name} == ${typeof value === "string" ? `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'` : String(value)}`;
}

/** Adds a term to the query, or removes it if it is there already. */
export function withTerm(query: string, term: string): string {
  const now = toQuery(query.trim());
  if (query.trim() === "") return term;
  const parts = now.split(" and ");
  if (parts.includes(term)) return parts.filter((part) => part !== term).join(" and ");
  return /\bor\b/.test(now) ? `(${now}) and ${term}` : `${now} and ${term}`;
}

export function Facets() {
  const t = useText();
  const { list } = useStore(runs);
  const { query, rowsBy } = useStore(view);
  const [open, setOpen] = useState(false);
  const held = useMemo(() => query.split(" and "), [query]);
  const facets = useMemo(() => (open ? facetsOf(list, held) : []), [list, open, held]);
  const name = (key: string) => (key === "state" ? t("state") : key);
  const shown = (key: string, value: LineageValue) =>
    key === "state" ? stateName(String(value)) : lineageText(value);
  return (
    <details class="facets" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("facets")}</summary>
      <div class="sheet-of" tabIndex={0} role="region" aria-label={t("facets")}>
        <label>
          {t("groupBy")}{" "}
          <select
            value={rowsBy}
            onChange={(event) => setView({ rowsBy: event.currentTarget.value })}
          >
            <option value="">–</option>
            {[...new Set([...facets.map(({ key }) => key), ...(rowsBy ? [rowsBy] : [])])].map(
              (key) => (
                <option key={key} value={key}>
                  {name(key)}
                </option>
              ),
            )}
          </select>
        </label>
        {open && facets.length === 0 && <p class="muted">{t("noFacets")}</p>}
        {facets.map(({ key, values }) => (
          <div key={key} role="group" aria-label={name(key)}>
            <span class="muted" title={key}>
              {keepEnd(name(key), 32)}
            </span>
            <div class="row-tools">
              {values.map(({ value, count }) => {
                const term = termOf(key, value);
                return (
                  <button
                    key={term}
                    type="button"
                    class="chip"
                    aria-pressed={held.includes(term)}
                    title={term}
                    onClick={() => setView({ query: withTerm(query, term) })}
                  >
                    {shortValue(shown(key, value), 22)}{" "}
                    <span class="muted">{formatCount(count)}</span>
                  </button>
                );
              })}
            </div>
          </div>
        ))}
      </div>
    </details>
  );
}

export type Item = { run: Run } | { value: string; members: readonly Run[] };

/** The rows of the table. Each group has a head and keeps the order of the list. */
export function itemsOf(list: readonly Run[], key: string): Item[] {
  if (key === "") return list.map((run) => ({ run }));
  const groups = new Map<LineageValue, Run[]>();
  for (const run of list) {
    const value = valueUnder(run, key);
    const members = groups.get(value);
    if (members) members.push(run);
    else groups.set(value, [run]);
  }
  return [...groups].flatMap(([value, members]): Item[] => [
    { value: key === "state" ? stateName(String(value)) : lineageText(value), members },
    ...members.map((run) => ({ run })),
  ]);
}
