// The state that a timeline's toolbar, lanes and details share.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  getTimeline,
  type ProfileInfo,
  type Span,
  type Steps,
  type Timeline,
} from "../../core/api_profile";
import { theme } from "../../core/colors";
import { get, getBlob } from "../../core/http";
import { fileName, saveBlob } from "../../core/save";
import { useSize } from "../../core/size";
import { useEvent, useLoaded, useStore } from "../../core/store";
import { useOwn } from "../../core/view";
import type { Scene } from "./draw_timeline";
import { lanesInSight, placeLanes, placesOf, rowsAtMost, type Window, zoomed } from "./lanes";

// The server answers for 256 lanes at once. Further lanes than these are not shown.
const lanesAtOnce = 256;
const lanesAtMost = 2048;
// More arrows would be a tangle, so only their number is shown.
export const flowsAtMost = 300;

/** `value` once its key has stayed the same for a moment. */
export function useSettled<T>(value: T, key: string, milliseconds: number): T {
  const [settled, setSettled] = useState({ value, key });
  const settle = useEvent(() => setSettled({ value, key }));
  useEffect(() => {
    if (settled.key === key) return;
    const timer = setTimeout(settle, milliseconds);
    return () => clearTimeout(timer);
  }, [key, settled.key, milliseconds]);
  return settled.value;
}

/** The window in the address, or the whole profile. The address follows once the window rests. */
function useWindow(duration: number): [Window, (next: Window) => void] {
  const [{ window: kept }, change] = useOwn("profile");
  const whole = useMemo<Window>(() => [0, Math.max(10, duration)], [duration]);
  const [now, setNow] = useState<Window>(kept ?? whole);
  const written = useRef(kept);
  const timer = useRef(0);
  useEffect(() => {
    if (kept === written.current) return;
    written.current = kept;
    setNow(kept ?? whole);
  }, [kept, whole]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const move = (next: Window) => {
    setNow(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      written.current = next[0] === whole[0] && next[1] === whole[1] ? null : next;
      change({ window: written.current }, true);
    }, 250);
  };
  return [now, move];
}

/**
 * The spans of these lanes in a window and half a window to each side, so that moving shows
 * something at once.
 */
function useSpans(
  { profile, duration }: ProfileInfo,
  [from, to]: Window,
  width: number,
  lanes: readonly number[],
) {
  const length = to - from;
  const first = Math.max(-duration, Math.round(from - length / 2));
  const last = Math.min(2 * duration, Math.round(to + length / 2));
  const wanted = Math.round((width * (last - first)) / length);
  const columns = Math.min(10000, Math.max(10, wanted));
  const request = { from: first, to: last, columns, rows: rowsAtMost };
  const any = width > 0 && lanes.length > 0 && first < last;
  const key = any ? JSON.stringify([profile, request, lanes]) : "";
  const settled = useSettled({ request, key, lanes }, key, 80);
  return useLoaded(settled.key, async (signal) => {
    const shown = settled.lanes.slice(0, lanesAtMost);
    const parts = await Promise.all(
      Array.from({ length: Math.ceil(shown.length / lanesAtOnce) }, (_, i) =>
        getTimeline(
          {
            profile,
            ...settled.request,
            lane: shown.slice(i * lanesAtOnce, (i + 1) * lanesAtOnce),
          },
          signal,
        ),
      ),
    );
    return joined(parts);
  });
}

/** Parts with different lanes as one timeline. */
export function joined(parts: readonly Timeline[]): Timeline {
  const [first, ...others] = parts;
  const all: Timeline = { ...first!, names: [...first!.names], rows: [...first!.rows] };
  for (const { names, rows } of others) {
    const offset = all.names.length;
    all.names.push(...names);
    for (const row of rows)
      all.rows.push({ ...row, name: row.name.map((number) => number + offset) });
  }
  return all;
}

function useFlows({ profile, flow_points }: ProfileInfo, wanted: boolean, now: Window) {
  const key = wanted && (flow_points ?? 0) > 0 ? JSON.stringify([profile, now]) : "";
  const settled = useSettled({ now, key }, key, 150);
  return useLoaded(settled.key, (signal) =>
    get(
      "profile/flows",
      { profile, from: settled.now[0], to: settled.now[1], limit: flowsAtMost },
      signal,
    ),
  );
}

/** Saves the window, or the whole profile, as a trace for Perfetto. */
export function useExport({ profile }: ProfileInfo, part: Window | null) {
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const save = () => {
    setSaving(true);
    getBlob("profile/export", { profile, ...(part && { from: part[0], to: part[1] }) })
      .then((blob) => {
        saveBlob(fileName(profile, "perfetto-trace"), blob);
        setError(null);
      }, setError)
      .finally(() => setSaving(false));
  };
  return { saving, error, save };
}

export type TimelineState = ReturnType<typeof useTimeline>;

export function useTimeline(info: ProfileInfo, steps: Steps | null) {
  const scheme = useStore(theme);
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box);
  const [now, move] = useWindow(info.duration);
  const [scroll, setScroll] = useState(0);
  const [selected, select] = useState<Window | null>(null);
  const [chosen, choose] = useState<number | null>(null);
  const [find, setFind] = useState("");
  const [arrows, setArrows] = useState(true);
  const layout = useMemo(() => placeLanes(info.lanes), [info]);
  const left = width < 600 ? 84 : 172;
  const around: Window = [now[0] - (now[1] - now[0]) / 2, now[1] + (now[1] - now[0]) / 2];
  const spans = useSpans(info, now, width - left, lanesInSight(layout, scroll, height, around));
  const flows = useFlows(info, arrows, now).data;
  const tooMany = arrows && flows !== null && flows.total > flowsAtMost ? flows.total : 0;
  const scene: Scene = {
    width,
    height,
    left,
    scroll,
    window: now,
    layout,
    timeline: spans.data,
    steps: steps && !steps.own_clock ? steps : null,
    flows: arrows && flows && !tooMany ? flows.flows : [],
    selected,
    chosen,
    find,
    theme: scheme,
  };
  /** Zooms by `factor` around a time; without one, around the middle. */
  const zoom = (factor: number, around = (now[0] + now[1]) / 2) =>
    move(zoomed(now, factor, around, info.duration));
  /** Shows a stretch of time with as much before and after it. */
  const show = (from: number, length: number) =>
    move(zoomed([from - length, from + 2 * length], 1, from, info.duration));
  const showAll = () => {
    move([0, Math.max(10, info.duration)]);
    select(null);
  };
  const goTo = (span: Span) => {
    choose(span.span);
    select(null);
    show(span.start, Math.max(span.duration, 100));
    const placed = placesOf(layout).get(span.lane);
    if (placed && box.current) box.current.scrollTop = Math.max(0, placed.top - 60);
  };
  return {
    info,
    box,
    scene,
    error: spans.error,
    loading: spans.loading,
    arrows,
    /** The number of arrows if there are too many to draw, else 0. */
    tooMany,
    setArrows,
    setFind,
    setScroll,
    select,
    choose,
    move,
    zoom,
    show,
    showAll,
    goTo,
  };
}
