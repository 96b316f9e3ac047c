// The lanes of a timeline, and what they do with the pointer, the wheel and the keys.
import { useEffect, useRef, useState } from "preact/hooks";
import { prepare } from "../../chart/draw";
import { formatCount } from "../../core/format";
import { useEvent } from "../../core/store";
import { useText } from "../../core/text";
import { drawTimeline, type Scene } from "./draw_timeline";
import { axisHeight, type Hit, heightOf, hitAt, panned, rowAt } from "./lanes";
import type { TimelineState } from "./timeline";
import { Tip } from "./timeline_parts";

// A pointer that moves less than this many pixels while pressed clicks; otherwise it drags.
const slack = 4;

/** Nanoseconds that a pixel spans. */
const pixelOf = ({ window: [from, to], width, left }: Scene) => (to - from) / (width - left);

function timeAt(scene: Scene, x: number): number {
  return scene.window[0] + (Math.max(scene.left, x) - scene.left) * pixelOf(scene);
}

function hitOf(scene: Scene, x: number, y: number): Hit | null {
  const { timeline, layout, scroll, left } = scene;
  if (!timeline || y < axisHeight || x < left) return null;
  const at = rowAt(layout, y - axisHeight + scroll);
  const [time, slack] = [timeAt(scene, x), pixelOf(scene)];
  for (const { lane } of at?.lanes ?? []) {
    const hit = hitAt(timeline, lane, at!.row, time, slack);
    if (hit) return hit;
  }
  return null;
}

/** A drag selects, a click shows a span, a double click zooms to it. */
function usePointer({ box, scene, select, choose, show }: TimelineState) {
  const [tip, setTip] = useState<{ hit: Hit; x: number; y: number } | null>(null);
  const start = useRef<number | null>(null);
  // The time that the pointer is at, for zooming by keys.
  const pointed = useRef<number | undefined>(undefined);
  const local = (event: PointerEvent) => {
    const bounds = box.current!.getBoundingClientRect();
    return [event.clientX - bounds.left, event.clientY - bounds.top] as const;
  };
  const isDrag = (from: number, to: number) => Math.abs(to - from) > slack * pixelOf(scene);
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      const [x] = local(event);
      if (event.button !== 0 || x > box.current!.clientWidth) return;
      start.current = timeAt(scene, x);
      box.current!.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const [x, y] = local(event);
      const time = timeAt(scene, x);
      pointed.current = time;
      const from = start.current;
      if (from !== null && event.buttons === 1) {
        if (isDrag(from, time))
          select([Math.round(Math.min(from, time)), Math.round(Math.max(from, time)) + 1]);
        return;
      }
      const hit = event.pointerType === "touch" ? null : hitOf(scene, x, y);
      setTip(hit && { hit, x: event.clientX, y: event.clientY });
    },
    onPointerUp: (event: PointerEvent) => {
      const from = start.current;
      start.current = null;
      const [x, y] = local(event);
      if (from === null || isDrag(from, timeAt(scene, x))) return;
      const hit = hitOf(scene, x, y);
      const narrow = hit?.kind === "narrow";
      select(narrow ? [Math.round(hit.from), Math.round(hit.to) + 1] : null);
      choose(hit?.kind === "span" ? hit.row.span[hit.index]! : null);
    },
    onPointerLeave: () => {
      pointed.current = undefined;
      setTip(null);
    },
    onDblClick: () => {
      const hit = tip?.hit;
      if (hit?.kind === "span")
        show(hit.row.start[hit.index]!, Math.max(10, hit.row.duration[hit.index]!));
      else if (hit) show(hit.from, hit.to - hit.from);
    },
  };
  return { tip, pointed, handlers };
}

export function Lanes({ timeline }: { timeline: TimelineState }) {
  const t = useText();
  const { info, box, scene, move, zoom, showAll, select, choose } = timeline;
  const { width, height, left, window: now, layout } = scene;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { tip, pointed, handlers } = usePointer(timeline);
  useEffect(() => {
    if (canvas.current && width > left) drawTimeline(prepare(canvas.current, width, height), scene);
  });
  const pan = (share: number) => move(panned(now, share, info.duration));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = event.key.toLowerCase();
    if (name === "w" || event.key === "+" || event.key === "=") zoom(0.7, pointed.current);
    else if (name === "s" || event.key === "-") zoom(1 / 0.7, pointed.current);
    else if (name === "a" || event.key === "ArrowLeft") pan(-0.15);
    else if (name === "d" || event.key === "ArrowRight") pan(0.15);
    else if (event.key === "0") showAll();
    else if (event.key === "Escape" && (scene.selected || scene.chosen !== null)) {
      select(null);
      choose(null);
    } else return;
    event.preventDefault();
  };
  const onWheel = useEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    if (event.shiftKey) pan(event.deltaY > 0 ? 0.1 : -0.1);
    else zoom(event.deltaY > 0 ? 1.25 : 0.8, pointed.current);
  });
  useEffect(() => {
    // Added by hand because it must not be passive: the page must not scroll.
    const element = box.current!;
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [box]);
  return (
    <>
      <div
        class="lanes"
        ref={box}
        style={{ height: `${heightOf(layout)}px` }}
        tabIndex={0}
        role="group"
        aria-label={t("timelineIs", formatCount(info.spans), formatCount(info.lanes.length))}
        data-drawn={scene.timeline ? "yes" : "no"}
        onKeyDown={onKeyDown}
        onScroll={(event) => timeline.setScroll(event.currentTarget.scrollTop)}
        {...handlers}
      >
        <canvas ref={canvas} aria-hidden="true" />
        <div style={{ height: `${Math.max(0, layout.height + axisHeight - height)}px` }} />
      </div>
      {tip && scene.timeline && <Tip hit={tip.hit} names={scene.timeline.names} place={tip} />}
    </>
  );
}
