// The settings and results of runs as a table, the best run first.
import { useMemo, useState } from "preact/hooks";
import type { LineageTable } from "../../core/api";
import { formatCount, keepEnd, lineageText, shortValue } from "../../core/format";
import { runOf, slots } from "../../core/model";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { Swatch } from "../../widgets/swatch";
import type { Row } from "./axes";
import { compareValues, faultOf, lessIsBetter } from "./best";

const rowsAtMost = 500;

/** Why a run cannot be the best; nothing if it can. */
function FaultWord({ run, objective }: { run: string; objective: string }) {
  const t = useText();
  const fault = objective === "" ? null : faultOf(runOf(run), objective);
  if (!fault) return null;
  return <span class="muted"> {t(fault === "nan" ? "nanAtEnd" : "stateKilled")}</span>;
}

export function Table({
  table,
  rows,
  objective,
}: {
  table: LineageTable;
  rows: readonly Row[];
  objective: number;
}) {
  const t = useText();
  const held = useStore(slots);
  const [own, setSort] = useState<{ column: number; down: boolean } | null>(null);
  const name = table.columns[objective]?.key ?? "";
  // The best run comes first until a column head is clicked.
  const sort = own ?? {
    column: objective,
    down: objective >= 0 && !lessIsBetter(name),
  };
  const sorted = useMemo(() => {
    if (sort.column < 0) return rows;
    const value = (row: Row) => row.values[sort.column] ?? null;
    // By the objective, runs that cannot be the best come after those that can.
    const late = (row: Row) => Number(own === null && faultOf(runOf(row.run), name) !== null);
    return [...rows].sort(
      (a, b) => late(a) - late(b) || compareValues(value(a), value(b), sort.down),
    );
  }, [rows, sort.column, sort.down, own, name]);
  return (
    <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("runs")}>
      <table class="data">
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            {table.columns.map((column, i) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={sort.column === i ? (sort.down ? "descending" : "ascending") : "none"}
              >
                <button
                  type="button"
                  class="plain"
                  title={t("sortBy", column.key)}
                  onClick={() => setSort({ column: i, down: sort.column === i && !sort.down })}
                >
                  {keepEnd(column.key, 24)}
                  {sort.column === i ? (sort.down ? " ↓" : " ↑") : ""}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, rowsAtMost).map((row) => (
            <tr key={row.run}>
              <td>
                <Swatch slot={held.get(row.run)} /> {runOf(row.run)?.name ?? row.run}
                <FaultWord run={row.run} objective={name} />
              </td>
              {table.columns.map((column, i) => (
                <td key={column.key} title={lineageText(row.values[i])}>
                  {shortValue(lineageText(row.values[i]), 28)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > rowsAtMost && (
        <p class="muted">
          {t("pointsShown", rowsAtMost, formatCount(rows.length))}. {t("csvHasRows")}
        </p>
      )}
    </div>
  );
}
