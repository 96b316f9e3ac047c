// Operators: a table by type that unfolds to operators, with a search by name and type.
import { useState } from "preact/hooks";
import type { OperatorRow, Operators } from "../../core/api_profile";
import { formatCount, formatNs, formatShare } from "../../core/format";
import { get } from "../../core/http";
import { useLoaded } from "../../core/store";
import { type TextKey, useText } from "../../core/text";
import { Failed, LoadingFile } from "../../widgets/notice";
import { OperatorPie, oneSide } from "./operator_pie";

const eachAtMost = 200;

type Column = "name" | "count" | "total" | "self" | "average" | "share" | "device" | "device_self";
const average = (row: OperatorRow) => (row.count > 0 ? row.total / row.count : 0);
const keyOf: Record<Column, (row: OperatorRow) => number | string> = {
  name: (row) => row.name || row.type,
  count: (row) => row.count,
  total: (row) => row.total,
  self: (row) => row.self,
  average,
  share: (row) => row.share,
  device: (row) => row.device,
  device_self: (row) => row.device_self,
};

export function sortRows(
  rows: readonly OperatorRow[],
  by: Column,
  falling: boolean,
): OperatorRow[] {
  const key = keyOf[by];
  return [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    const order = x < y ? -1 : x > y ? 1 : 0;
    return falling ? -order : order;
  });
}

/** What a table of operators has beside what every table has. */
type Extra = Pick<Operators, "nested" | "has_launches">;

function Cells({ row, extra }: { row: OperatorRow; extra: Extra }) {
  const launched = (time: number) => (row.on_device ? "–" : formatNs(time));
  return (
    <>
      <td>{formatCount(row.count)}</td>
      <td>{formatNs(row.total)}</td>
      {extra.nested && <td>{formatNs(row.self)}</td>}
      <td>{formatNs(average(row))}</td>
      <td class="share">
        <i style={{ width: `${Math.min(100, row.share * 100)}%` }} />
        <span>{formatShare(row.share)}</span>
      </td>
      {extra.has_launches && (
        <>
          <td>{launched(row.device)}</td>
          <td>{launched(row.device_self)}</td>
        </>
      )}
    </>
  );
}

/** The operators of one type. */
function Members({ profile, type, extra }: { profile: string; type: string; extra: Extra }) {
  const t = useText();
  const { data, error } = useLoaded(`${profile}\n${type}`, (signal) =>
    get("profile/operators", { profile, by: "name", type, limit: eachAtMost }, signal),
  );
  const span = 5 + (extra.nested ? 1 : 0) + (extra.has_launches ? 2 : 0);
  if (error)
    return (
      <tr>
        <td colSpan={span}>
          <Failed error={error} />
        </td>
      </tr>
    );
  if (!data)
    return (
      <tr>
        <td colSpan={span}>
          <LoadingFile />
        </td>
      </tr>
    );
  return (
    <>
      {data.rows.map((row) => (
        <tr key={row.name} class="member">
          <td class="mono cut" title={`${row.name} ${row.shapes}`}>
            {row.name} {row.shapes && <span class="muted">{row.shapes}</span>}
          </td>
          <Cells row={row} extra={extra} />
        </tr>
      ))}
      {data.matched > data.rows.length && (
        <tr class="member">
          <td colSpan={span} class="muted">
            {t("pointsShown", formatCount(data.rows.length), formatCount(data.matched))}
          </td>
        </tr>
      )}
    </>
  );
}

export function OperatorsView({ profile }: { profile: string }) {
  const t = useText();
  const [text, setText] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [by, setBy] = useState<Column>("total");
  const [falling, setFalling] = useState(true);
  const each = text.trim() !== "";
  const { data, error } = useLoaded(`${profile}\n${text}`, (signal) =>
    get(
      "profile/operators",
      {
        profile,
        by: each ? "name" : "type",
        text: text.trim(),
        limit: each ? eachAtMost : 10000,
      },
      signal,
    ),
  );
  if (error) return <Failed error={error} />;
  if (!data) return <LoadingFile />;
  if (data.all === 0) return <p class="muted">{t("noOperators")}</p>;
  const columns: [Column, TextKey][] = [
    ["name", each ? "operator" : "type"],
    ["count", "count"],
    ["total", "total"],
    ...(data.nested ? [["self", "selfTime"] as [Column, TextKey]] : []),
    ["average", "average"],
    ["share", "share"],
    ...(data.has_launches
      ? ([
          ["device", "deviceOfOperator"],
          ["device_self", "deviceSelf"],
        ] as [Column, TextKey][])
      : []),
  ];
  const toggle = (type: string) => {
    const next = new Set(open);
    if (!next.delete(type)) next.add(type);
    setOpen(next);
  };
  return (
    <>
      <div class="bar">
        <input
          type="search"
          class="filter"
          aria-label={t("findOperator")}
          placeholder={t("findOperator")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span class="muted" role="status">
          {t("operatorsAre", formatCount(data.count), formatNs(data.total), data.source)}.{" "}
          {data.inferred && `${t("everySpanCounts")} `}
          {data.nested && t("nestedSays")}
        </span>
      </div>
      {!each && oneSide(data.rows).length < data.rows.length && (
        <p class="muted">{t("tasksOfDevice")}</p>
      )}
      {!each && <OperatorPie rows={data.rows} />}
      <div class="grid-wrap tall" tabIndex={0} role="region" aria-label={t("operators")}>
        <table class="data operators">
          <thead>
            <tr>
              {columns.map(([column, title]) => (
                <th
                  key={column}
                  scope="col"
                  aria-sort={by === column ? (falling ? "descending" : "ascending") : "none"}
                >
                  <button
                    type="button"
                    class="plain"
                    onClick={() => {
                      setFalling(by === column ? !falling : column !== "name");
                      setBy(column);
                    }}
                  >
                    {t(title)}
                    {by === column ? (falling ? " ↓" : " ↑") : ""}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sortRows(data.rows, by, falling).map((row) => (
              <>
                <tr key={row.name || row.type}>
                  <td class="mono cut" title={row.name || row.type}>
                    {each ? (
                      row.name || row.type
                    ) : (
                      <button
                        type="button"
                        class="plain"
                        aria-expanded={open.has(row.type)}
                        onClick={() => toggle(row.type)}
                      >
                        <span aria-hidden="true">{open.has(row.type) ? "▾ " : "▸ "}</span>
                        {row.type || "–"}
                      </button>
                    )}
                  </td>
                  <Cells row={row} extra={data} />
                </tr>
                {!each && open.has(row.type) && (
                  <Members profile={profile} type={row.type} extra={data} />
                )}
              </>
            ))}
          </tbody>
        </table>
      </div>
      {data.matched > data.rows.length && (
        <p class="muted">
          {t("pointsShown", formatCount(data.rows.length), formatCount(data.matched))}
        </p>
      )}
    </>
  );
}
