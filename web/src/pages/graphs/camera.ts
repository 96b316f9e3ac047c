// What a graph's window shows: moved by dragging, the wheel and buttons, and kept in the address.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSetting } from "../../core/setting";
import { useEvent } from "../../core/store";
import type { Scene } from "./scene";

/**
 * The point in the middle of the window and the scale. The address has these, since windows differ
 * in size.
 */
export interface Camera {
  x: number;
  y: number;
  scale: number;
}

const cameraText = ({ x, y, scale }: Camera) =>
  `${Math.round(x)}_${Math.round(y)}_${Number(scale.toPrecision(3))}`;

/** Null if the text has none; the whole graph is shown then. */
export function readCamera(text: string): Camera | null {
  const [x = NaN, y = NaN, scale = NaN] = text.split("_").map(Number);
  return Number.isFinite(x + y) && scale > 0 && scale <= most ? { x, y, scale } : null;
}

const least = 0.02;
const most = 4;
// The address follows the camera after this many milliseconds of rest.
const rest = 200;

/** The camera in the address, or else one that shows the whole scene. */
export function useCamera(scene: Scene, width: number, height: number) {
  const [kept, keep] = useSetting("camera");
  const [own, setOwn] = useState(() => readCamera(kept));
  const text = own ? cameraText(own) : "";
  const save = useEvent(() => text !== kept && keep(text));
  useEffect(() => {
    const timer = setTimeout(save, rest);
    return () => clearTimeout(timer);
  }, [text]);
  const adopt = useEvent(() => {
    if (kept !== text) setOwn(readCamera(kept));
  });
  useEffect(() => adopt(), [kept]);
  const scale = Math.min(1.25, (width - 32) / scene.width, (height - 32) / scene.height);
  const whole: Camera = { x: scene.width / 2, y: scene.height / 2, scale: scale > 0 ? scale : 1 };
  const move = useEvent((change: (old: Camera) => Camera) =>
    setOwn((old) => {
      const next = change(old ?? whole);
      return next === whole ? old : next;
    }),
  );
  /** `right`, `down`: the point that stays in place, relative to the window's middle. */
  const zoom = useEvent((factor: number, right: number, down: number) =>
    move((old) => {
      const scale = Math.min(most, Math.max(least, old.scale * factor));
      const by = 1 / old.scale - 1 / scale;
      return { scale, x: old.x + right * by, y: old.y + down * by };
    }),
  );
  return {
    camera: own ?? whole,
    move,
    zoom,
    showAll: () => setOwn(null),
  };
}
type Moves = ReturnType<typeof useCamera>;

/** Moves to the node with this id, unless it can be seen and read. */
export function useSight(
  move: Moves["move"],
  scene: Scene,
  chosen: string,
  width: number,
  height: number,
): void {
  useEffect(() => {
    const drawn = scene.nodes.find(({ node }) => node.id === chosen);
    if (!drawn || width === 0) return;
    const [x, y] = [drawn.x + drawn.width / 2, drawn.y + Math.min(drawn.height, 60) / 2];
    move((old) => {
      const inView =
        Math.abs(x - old.x) * old.scale < width / 2 &&
        Math.abs(y - old.y) * old.scale < height / 2 &&
        old.scale >= 0.6;
      return inView ? old : { x, y, scale: Math.max(old.scale, 0.6) };
    });
  }, [chosen, scene, width, height, move]);
}

/** The wheel zooms around the pointer. */
export function useWheel(
  box: RefObject<HTMLElement>,
  zoom: Moves["zoom"],
  width: number,
  height: number,
): void {
  useEffect(() => {
    const element = box.current!;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const bounds = element.getBoundingClientRect();
      zoom(
        event.deltaY > 0 ? 0.85 : 1.18,
        event.clientX - bounds.left - width / 2,
        event.clientY - bounds.top - height / 2,
      );
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [box, zoom, width, height]);
}
