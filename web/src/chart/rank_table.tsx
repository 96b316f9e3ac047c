// The ranks of a chart as a table that can be sorted.
import { useState } from "preact/hooks";
import { getRankTable, type RankRow, type RanksRange } from "../core/api_ranks";
import { formatCount, formatValue, naturally } from "../core/format";
import { revision, runOf } from "../core/model";
import { useLoaded, useStore } from "../core/store";
import { type TextKey, useText } from "../core/text";
import { IconButton } from "../widgets/icons";

type Column = "rank" | "last" | "mean" | "min" | "max" | "nonfinite";
const columns: readonly { key: Column; text: TextKey }[] = [
  { key: "rank", text: "rank" },
  { key: "last", text: "lastOf" },
  { key: "mean", text: "mean" },
  { key: "min", text: "minOf" },
  { key: "max", text: "maxOf" },
  { key: "nonfinite", text: "rankBad" },
];

export type RankRowOfRun = RankRow & { run: string };

/** Sorts by a column; equal rows by run and rank. Values that are not numbers come last. */
export function sortRanks(
  rows: readonly RankRowOfRun[],
  by: Column,
  falling: boolean,
): RankRowOfRun[] {
  return [...rows].sort((a, b) => {
    const [x, y] = [a[by], b[by]];
    const bad = Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    const order = x === y || Number.isNaN(x) ? 0 : x < y ? -1 : 1;
    return bad || (falling ? -order : order) || naturally(a.run, b.run) || a.rank - b.rank;
  });
}

export function RankTable({
  runs,
  tag,
  range,
}: {
  runs: readonly string[];
  tag: string;
  range: RanksRange;
}) {
  const t = useText();
  const [by, setBy] = useState<Column>("rank");
  const [falling, setFalling] = useState(false);
  const rounds = useStore(revision);
  const key = JSON.stringify([runs, tag, range.from, range.to, rounds]);
  const { data, error } = useLoaded(key, async (signal) => {
    const all = await Promise.all(runs.map((run) => getRankTable(run, tag, range, signal)));
    return all.flatMap((of) => of?.shown.map((row) => ({ ...row, run: of.run })) ?? []);
  });
  if (!data)
    return <span class="state">{error ? t("failed", error.message) : `${t("loading")}…`}</span>;
  const rows = sortRanks(data, by, falling);
  const several = runs.length > 1;
  const ends = new Set(rows.map(({ lastStep }) => lastStep)).size > 1;
  const name = (run: string) => runOf(run)?.name ?? run;
  const sort = (column: Column) => {
    // Numbers are looked at from the greatest on, ranks from the first.
    setFalling(column === by ? !falling : column !== "rank");
    setBy(column);
  };
  const copy = () =>
    void navigator.clipboard?.writeText(
      `run\trank\tlast\tmean\tmin\tmax\tsteps\tnot_finite\n${rows
        .map((row) =>
          [
            name(row.run),
            row.rank,
            row.last,
            row.mean,
            row.min,
            row.max,
            row.steps,
            row.nonfinite,
          ].join("\t"),
        )
        .join("\n")}\n`,
    );
  return (
    <div class="values ranks" tabIndex={0} role="region" aria-label={t("ranksOf", tag)}>
      <table class="data">
        <thead>
          <tr>
            {several && <th scope="col">{t("name")}</th>}
            {columns.map(({ key, text }) => (
              <th
                key={key}
                scope="col"
                aria-sort={by === key ? (falling ? "descending" : "ascending") : "none"}
              >
                <button type="button" class="plain" onClick={() => sort(key)}>
                  {t(text)}
                  {by === key ? (falling ? " ↓" : " ↑") : ""}
                </button>
              </th>
            ))}
            {ends && <th scope="col">{t("lastStep")}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.run} ${row.rank}`}>
              {several && <td>{name(row.run)}</td>}
              <td>{row.rank}</td>
              <td>{formatValue(row.last)}</td>
              <td>{formatValue(row.mean)}</td>
              <td>{formatValue(row.min)}</td>
              <td>{formatValue(row.max)}</td>
              <td class={row.nonfinite > 0 ? "danger" : ""}>{formatCount(row.nonfinite)}</td>
              {ends && <td class="muted">{formatCount(row.lastStep)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <IconButton name="copy" label={`${t("copy")}: ${tag}`} onClick={copy} />
    </div>
  );
}
