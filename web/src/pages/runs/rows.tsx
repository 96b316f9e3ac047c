// The rows of the table of runs: only those in view are in the page.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Run } from "../../core/api";
import { getSeries } from "../../core/api_series";
import { hue, theme } from "../../core/colors";
import { formatCount, formatValue } from "../../core/format";
import { keptOf } from "../../core/kept";
import { revision, runs, select, selection, slots, toggleRun } from "../../core/model";
import { useEvent, useLoaded, useStore } from "../../core/store";
import { stateName, useText } from "../../core/text";
import { view } from "../../core/view";
import { IconButton } from "../../widgets/icons";
import { currentRun } from "../../widgets/keys";
import { Swatch } from "../../widgets/swatch";
import { cell, columnsOf, Header } from "./columns";
import { itemsOf } from "./facets";
import { openRun } from "./run_dialog";

const rowHeight = 28;

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

export function Rows({ wide }: { wide: boolean }) {
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
