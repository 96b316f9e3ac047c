// The timeline: lanes of spans over time. W and S zoom, A and D move; a drag selects, a click shows what is there.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { prepare } from "../../chart/draw";
import {
  getExport,
  getFlows,
  getSelection,
  getSpan,
  getTimeline,
  type ProfileInfo,
  type Span,
  type Steps,
  searchSpans,
} from "../../core/api_profile";
import { theme } from "../../core/colors";
import { formatCount, formatNs, formatShare } from "../../core/format";
import { fileName, saveBlob } from "../../core/save";
import { useSize } from "../../core/size";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { setView, view } from "../../core/view";
import { Failed } from "../../widgets/notice";
import { drawTimeline, type Scene } from "./draw_timeline";
import {
  axisHeight,
  type Hit,
  heightOf,
  hitAt,
  type Layout,
  lanesInSight,
  panned,
  placeLanes,
  rowAt,
  rowsAtMost,
  type Window,
  zoomed,
} from "./lanes";

const lanesAtOnce = 64;
const tableRows = 200;

/** `value` once it has been the same for a moment. */
function useSettled<T>(value: T, key: string, milliseconds: number): T {
  const [settled, setSettled] = useState({ value, key });
  useEffect(() => {
    if (settled.key === key) return;
    const timer = setTimeout(() => setSettled({ value, key }), milliseconds);
    return () => clearTimeout(timer);
  }, [key, settled.key]);
  return settled.value;
}

/** The window in the address, or the whole; while it is moved the address waits. */
function useWindow(duration: number): [Window, (next: Window) => void] {
  const { window: kept } = useStore(view);
  const whole: Window = [0, Math.max(10, duration)];
  const [now, setNow] = useState<Window>(kept ?? whole);
  const written = useRef(kept);
  const timer = useRef(0);
  useEffect(() => {
    if (kept === written.current) return;
    written.current = kept;
    setNow(kept ?? whole);
  }, [kept]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const move = (next: Window) => {
    setNow(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      written.current = next[0] === whole[0] && next[1] === whole[1] ? null : next;
      setView({ window: written.current }, true);
    }, 250);
  };
  return [now, move];
}

function useSpans(
  profile: string,
  [from, to]: Window,
  width: number,
  lanes: readonly number[],
  duration: number,
) {
  // Half a window at both sides comes along, so that moving shows something at once; the server gives no more than there is.
  const length = to - from;
  const reach: Window = [
    Math.max(-duration, Math.round(from - length / 2)),
    Math.min(2 * duration, Math.round(to + length / 2)),
  ];
  const columns = Math.min(
    10000,
    Math.max(10, Math.round((width * (reach[1] - reach[0])) / length)),
  );
  const wish = { from: reach[0], to: reach[1], columns, rows: rowsAtMost };
  const key =
    width > 0 && lanes.length > 0 && reach[0] < reach[1]
      ? JSON.stringify([profile, wish, lanes])
      : "";
  const settled = useSettled({ wish, key, lanes }, key, 80);
  return useLoaded(settled.key, (signal) =>
    getTimeline(profile, settled.wish, settled.lanes.slice(0, lanesAtOnce), signal),
  );
}

// More arrows than this in a window are a tangle: none is drawn, and it is said how many there are.
const flowsAtMost = 300;

function useFlows(info: ProfileInfo, wanted: boolean, now: Window) {
  const key = wanted && (info.flow_points ?? 0) > 0 ? JSON.stringify([info.profile, now]) : "";
  const settled = useSettled({ now, key }, key, 150);
  return useLoaded(settled.key, (signal) =>
    getFlows(info.profile, settled.now[0], settled.now[1], flowsAtMost, signal),
  );
}

interface Props {
  info: ProfileInfo;
  steps: Steps | null;
}

function Tip({
  hit,
  names,
  place,
}: {
  hit: Hit;
  names: readonly { name: string }[];
  place: { x: number; y: number };
}) {
  const t = useText();
  const text =
    hit.kind === "span"
      ? [names[hit.row.name[hit.index]!]!.name, formatNs(hit.row.duration[hit.index]!)]
      : [
          t("narrowSpans", formatCount(hit.row.count[hit.index]!)),
          t("coveredOf", formatShare(hit.row.covered[hit.index]!), formatNs(hit.to - hit.from)),
        ];
  return (
    <div
      class="float"
      role="tooltip"
      style={{
        left: `${Math.min(place.x + 14, innerWidth - 320)}px`,
        top: `${Math.min(place.y + 14, innerHeight - 60)}px`,
      }}
    >
      <b>{text[0]}</b>
      <br />
      {text[1]}
    </div>
  );
}

function Selection({
  profile,
  selected,
  lanes,
  onZoom,
}: {
  profile: string;
  selected: Window;
  lanes: readonly number[];
  onZoom: () => void;
}) {
  const t = useText();
  const { data, error } = useLoaded(JSON.stringify([profile, selected, lanes]), (signal) =>
    getSelection(profile, selected[0], selected[1], lanes, signal),
  );
  if (error) return <Failed error={error} />;
  const busiest = data?.lanes.reduce((most, lane) => Math.max(most, lane.busy), 0) ?? 0;
  return (
    <section aria-label={t("selection")}>
      <h3>
        {t("selectionOf", formatNs(selected[1] - selected[0]))}{" "}
        <button type="button" onClick={onZoom}>
          {t("zoomIn")}
        </button>
      </h3>
      {data && (
        <>
          <p>
            {t(
              "selectionSays",
              formatCount(data.spans),
              formatCount(data.lanes.length),
              formatShare(busiest / (selected[1] - selected[0])),
            )}
          </p>
          <table class="data">
            <thead>
              <tr>
                <th scope="col">{t("name")}</th>
                <th scope="col">{t("count")}</th>
                <th scope="col">{t("time")}</th>
                <th scope="col">{t("average")}</th>
              </tr>
            </thead>
            <tbody>
              {data.names.slice(0, 12).map((one) => (
                <tr key={one.name}>
                  <td class="mono cut" title={one.name}>
                    {one.name}
                  </td>
                  <td>{formatCount(one.count)}</td>
                  <td>{formatNs(one.time)}</td>
                  <td>{formatNs(one.time / one.count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

function SpanDetails({
  profile,
  span,
  onShow,
}: {
  profile: string;
  span: number;
  onShow: (from: number, duration: number) => void;
}) {
  const t = useText();
  const { data, error } = useLoaded(`${profile}\n${span}`, (signal) =>
    getSpan(profile, span, signal),
  );
  if (error) return <Failed error={error} />;
  if (!data) return null;
  const detail =
    data.detail !== null && typeof data.detail === "object"
      ? Object.entries(data.detail)
      : data.detail
        ? [["", data.detail]]
        : [];
  return (
    <section aria-label={t("details")}>
      <h3>
        <span class="mono">{data.name}</span>{" "}
        <button type="button" onClick={() => onShow(data.start, data.duration)}>
          {t("zoomIn")}
        </button>
      </h3>
      <dl class="pairs">
        <dt>{t("time")}</dt>
        <dd>{formatNs(data.duration)}</dd>
        <dt>{t("startsAt")}</dt>
        <dd>{formatNs(data.start, 9)}</dd>
        {data.type && (
          <>
            <dt>{t("type")}</dt>
            <dd>{data.type}</dd>
          </>
        )}
        <dt>{t("spanKind")}</dt>
        <dd>{data.kind}</dd>
        <dt>{t("lane")}</dt>
        <dd>{[data.process, data.thread].filter(Boolean).join(" / ")}</dd>
        {data.category && (
          <>
            <dt>{t("category")}</dt>
            <dd>{data.category}</dd>
          </>
        )}
        {detail.map(([key, value]) => (
          <>
            <dt class="mono">{key}</dt>
            <dd class="mono">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function Found({
  profile,
  text,
  onGo,
}: {
  profile: string;
  text: string;
  onGo: (span: Span) => void;
}) {
  const t = useText();
  const settled = useSettled(text, text, 200);
  const { data, error } = useLoaded(settled === "" ? "" : `${profile}\n${settled}`, (signal) =>
    searchSpans(profile, settled, signal),
  );
  if (text === "") return null;
  if (error) return <Failed error={error} />;
  if (!data) return null;
  return (
    <section aria-label={t("findSpan")}>
      <h3 role="status">{t("foundSpans", formatCount(data.total), formatNs(data.total_time))}</h3>
      <ul class="links">
        {data.matches.map((span) => (
          <li key={span.span}>
            <button type="button" onClick={() => onGo(span)}>
              {span.name}
            </button>{" "}
            <span class="muted">
              {formatNs(span.duration)}, {t("startsAt")} {formatNs(span.start, 6)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is drawn, as a table: the spans that can be told apart. */
function SpanTable({ scene, layout }: { scene: Scene; layout: Layout }) {
  const t = useText();
  const names = new Map(
    layout.lanes.map(({ lane }) => [
      lane.lane,
      [lane.process, lane.thread].filter(Boolean).join(" / "),
    ]),
  );
  const rows = (scene.timeline?.rows ?? [])
    .flatMap((row) =>
      Array.from(row.start, (start, i) => ({
        lane: row.lane,
        start,
        duration: row.duration[i]!,
        name: scene.timeline!.names[row.name[i]!]!.name,
      })),
    )
    .filter(({ start, duration }) => start < scene.window[1] && start + duration > scene.window[0]);
  return (
    <div class="values spans" tabIndex={0} role="region" aria-label={t("showTable")}>
      <p class="muted">
        {t("pointsShown", formatCount(Math.min(tableRows, rows.length)), formatCount(rows.length))}
      </p>
      <table class="data">
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t("lane")}</th>
            <th scope="col">{t("startsAt")}</th>
            <th scope="col">{t("time")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, tableRows).map((row, i) => (
            <tr key={i}>
              <td>{row.name}</td>
              <td>{names.get(row.lane)}</td>
              <td>{formatNs(row.start, 9)}</td>
              <td>{formatNs(row.duration)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function TimelineView({ info, steps }: Props) {
  const t = useText();
  const scheme = useStore(theme);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const [now, move] = useWindow(info.duration);
  const [scroll, setScroll] = useState(0);
  const [selected, setSelected] = useState<Window | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [find, setFind] = useState("");
  const [table, setTable] = useState(false);
  const [tip, setTip] = useState<{ hit: Hit; x: number; y: number } | null>(null);
  const drag = useRef<number | null>(null);
  const pointer = useRef<number | null>(null);
  const layout = useMemo(() => placeLanes(info.lanes), [info]);
  const left = width < 600 ? 84 : 172;
  const lanes = lanesInSight(layout, scroll, height);
  const { data, error, loading } = useSpans(info.profile, now, width - left, lanes, info.duration);
  const [arrows, setArrows] = useState(true);
  const flows = useFlows(info, arrows, now);
  const [saving, setSaving] = useState(false);
  const [saveError, setSaveError] = useState<Error | null>(null);
  const save = () => {
    setSaving(true);
    const part = selected ? { from: selected[0], to: selected[1] } : {};
    getExport(info.profile, part)
      .then((blob) => {
        saveBlob(fileName(info.profile, "perfetto-trace"), blob);
        setSaveError(null);
      }, setSaveError)
      .finally(() => setSaving(false));
  };
  const scene: Scene = {
    flows: arrows && flows.data && flows.data.total <= flowsAtMost ? flows.data.flows : [],
    width,
    height,
    left,
    scroll,
    window: now,
    layout,
    timeline: data,
    steps: steps && !steps.own_clock ? steps : null,
    selected,
    chosen,
    find,
    theme: scheme,
  };
  useEffect(() => {
    if (canvas.current && width > left) drawTimeline(prepare(canvas.current, width, height), scene);
  });
  const timeAt = (x: number) =>
    now[0] + ((Math.max(left, x) - left) / (width - left)) * (now[1] - now[0]);
  const zoom = (factor: number) =>
    move(zoomed(now, factor, pointer.current ?? (now[0] + now[1]) / 2, info.duration));
  const show = (from: number, duration: number) =>
    move(zoomed([from - duration, from + 2 * duration], 1, from, info.duration));
  const whole = () => {
    move([0, Math.max(10, info.duration)]);
    setSelected(null);
  };
  const go = (span: Span) => {
    setChosen(span.span);
    setSelected(null);
    show(span.start, Math.max(span.duration, 100));
    const placed = layout.lanes.find(({ lane }) => lane.lane === span.lane);
    if (placed && box.current) box.current.scrollTop = Math.max(0, placed.top - 60);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = event.key.toLowerCase();
    if (name === "w" || event.key === "+" || event.key === "=") zoom(0.7);
    else if (name === "s" || event.key === "-") zoom(1 / 0.7);
    else if (name === "a" || event.key === "ArrowLeft") move(panned(now, -0.15, info.duration));
    else if (name === "d" || event.key === "ArrowRight") move(panned(now, 0.15, info.duration));
    else if (event.key === "0") whole();
    else if (event.key === "Escape" && (selected || chosen !== null)) {
      setSelected(null);
      setChosen(null);
    } else return;
    event.preventDefault();
  };
  useEffect(() => {
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      if (event.shiftKey) move(panned(now, event.deltaY > 0 ? 0.1 : -0.1, info.duration));
      else zoom(event.deltaY > 0 ? 1.25 : 0.8);
    };
    const element = box.current!;
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  });
  const hitOf = (event: PointerEvent): Hit | null => {
    const bounds = box.current!.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const at = y < axisHeight || x < left ? null : rowAt(layout, y - axisHeight + scroll);
    return at && data
      ? hitAt(data, at.lane, at.row, timeAt(x), (now[1] - now[0]) / (width - left))
      : null;
  };
  return (
    <div class="timeline">
      <div class="bar">
        <button type="button" onClick={() => zoom(0.5)} aria-label={`${t("keyZoom")} +`}>
          +
        </button>
        <button type="button" onClick={() => zoom(2)} aria-label={`${t("keyZoom")} −`}>
          −
        </button>
        <button
          type="button"
          onClick={() => move(panned(now, -0.5, info.duration))}
          aria-label={t("earlier")}
        >
          ←
        </button>
        <button
          type="button"
          onClick={() => move(panned(now, 0.5, info.duration))}
          aria-label={t("later")}
        >
          →
        </button>
        <button type="button" onClick={whole}>
          {t("reset")}
        </button>
        <input
          type="search"
          class="filter"
          aria-label={t("findSpan")}
          placeholder={t("findSpan")}
          value={find}
          onInput={(event) => setFind(event.currentTarget.value)}
        />
        <button type="button" aria-pressed={table} onClick={() => setTable(!table)}>
          {t("showTable")}
        </button>
        {(info.flow_points ?? 0) > 0 && (
          <button type="button" aria-pressed={arrows} onClick={() => setArrows(!arrows)}>
            {t("arrows")}
          </button>
        )}
        {arrows && flows.data && flows.data.total > flowsAtMost && (
          <span class="muted">{t("manyArrows", formatCount(flows.data.total))}</span>
        )}
        <button type="button" disabled={saving} onClick={save} title={t("forPerfettoHint")}>
          {t(selected ? "selectionForPerfetto" : "forPerfetto")}
        </button>
        <span class="muted end">
          {t("range", formatNs(now[0], 6), formatNs(now[1], 6))}
          {loading ? " …" : ""}
        </span>
      </div>
      {error && <Failed error={error} />}
      {saveError && <Failed error={saveError} />}
      <div
        class="lanes"
        ref={box}
        style={{ height: `${heightOf(layout)}px` }}
        tabIndex={0}
        role="group"
        aria-label={t("timelineIs", formatCount(info.spans), formatCount(info.lanes.length))}
        onKeyDown={key}
        data-drawn={data ? "yes" : "no"}
        onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
        onPointerDown={(event) => {
          const x = event.clientX - box.current!.getBoundingClientRect().left;
          if (event.button !== 0 || x > box.current!.clientWidth) return;
          drag.current = timeAt(x);
          box.current!.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const time = timeAt(event.clientX - box.current!.getBoundingClientRect().left);
          pointer.current = time;
          const start = drag.current;
          if (start !== null && event.buttons === 1) {
            if (Math.abs(time - start) * (width - left) > 4 * (now[1] - now[0]))
              setSelected([
                Math.round(Math.min(start, time)),
                Math.round(Math.max(start, time)) + 1,
              ]);
            return;
          }
          const hit = event.pointerType === "touch" ? null : hitOf(event);
          setTip(hit && { hit, x: event.clientX, y: event.clientY });
        }}
        onPointerUp={(event) => {
          const start = drag.current;
          drag.current = null;
          if (start === null) return;
          const time = timeAt(event.clientX - box.current!.getBoundingClientRect().left);
          if (Math.abs(time - start) * (width - left) > 4 * (now[1] - now[0])) return;
          const hit = hitOf(event);
          setSelected(
            hit?.kind === "narrow" ? [Math.round(hit.from), Math.round(hit.to) + 1] : null,
          );
          setChosen(hit?.kind === "span" ? hit.row.span[hit.index]! : null);
        }}
        onPointerLeave={() => {
          pointer.current = null;
          setTip(null);
        }}
        onDblClick={() => {
          const hit = tip?.hit;
          if (hit?.kind === "span")
            show(hit.row.start[hit.index]!, Math.max(10, hit.row.duration[hit.index]!));
          else if (hit) show(hit.from, hit.to - hit.from);
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
        <div style={{ height: `${Math.max(0, layout.height + axisHeight - height)}px` }} />
      </div>
      {tip && data && <Tip hit={tip.hit} names={data.names} place={tip} />}
      <p class="muted">{t("timelineKeys")}</p>
      {table && <SpanTable scene={scene} layout={layout} />}
      <div class="below">
        {selected && (
          <Selection
            profile={info.profile}
            selected={selected}
            lanes={info.lanes.slice(0, 256).map((lane) => lane.lane)}
            onZoom={() => {
              move(selected);
              setSelected(null);
            }}
          />
        )}
        {chosen !== null && <SpanDetails profile={info.profile} span={chosen} onShow={show} />}
        <Found profile={info.profile} text={find} onGo={go} />
      </div>
    </div>
  );
}
