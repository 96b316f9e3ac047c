// A magnified picture: zooms, moves, and shows the numbers of its pixels.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { labelFont, prepare } from "../../chart/draw";
import { useSize } from "../../core/size";
import { useText } from "../../core/text";
import { isGrey, type Picture, pixelText } from "./pixels";

interface Camera {
  scale: number;
  x: number;
  y: number;
}
// A pixel shows its numbers if it takes at least this many of the screen's pixels.
const roomForNumbers = 34;

export function Lens({
  picture,
  values,
  style,
  label,
}: {
  picture: Picture;
  /** The picture whose numbers are shown. */
  values: Picture;
  style: string;
  label: string;
}) {
  const t = useText();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const [camera, setCamera] = useState<Camera | null>(null);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const grey = useMemo(() => isGrey(values), [values]);
  const source = useMemo(() => {
    const made = new OffscreenCanvas(picture.width, picture.height);
    made
      .getContext("2d")!
      .putImageData(
        new ImageData(
          picture.bytes as Uint8ClampedArray<ArrayBuffer>,
          picture.width,
          picture.height,
        ),
        0,
        0,
      );
    return made;
  }, [picture]);
  const fitted = (): Camera => {
    const scale = Math.min(width / picture.width, height / picture.height);
    return {
      scale,
      x: (width - picture.width * scale) / 2,
      y: (height - picture.height * scale) / 2,
    };
  };
  const now = camera ?? fitted();
  useEffect(() => {
    if (!canvas.current || width === 0) return;
    const context = prepare(canvas.current, width, height);
    context.imageSmoothingEnabled = now.scale < 1;
    context.drawImage(source, now.x, now.y, picture.width * now.scale, picture.height * now.scale);
    if (now.scale < roomForNumbers || (!grey && now.scale < 2 * roomForNumbers)) return;
    context.font = labelFont;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const [x0, y0] = [
      Math.max(0, Math.floor(-now.x / now.scale)),
      Math.max(0, Math.floor(-now.y / now.scale)),
    ];
    for (let y = y0; y < Math.min(picture.height, (height - now.y) / now.scale); y++) {
      for (let x = x0; x < Math.min(picture.width, (width - now.x) / now.scale); x++) {
        const i = 4 * (y * picture.width + x);
        const [r, g, b] = [picture.bytes[i]!, picture.bytes[i + 1]!, picture.bytes[i + 2]!];
        context.fillStyle = 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#000000" : "#ffffff";
        context.fillText(
          pixelText(values, x, y, grey),
          now.x + (x + 0.5) * now.scale,
          now.y + (y + 0.5) * now.scale,
        );
      }
    }
  });
  const zoom = (factor: number, px = width / 2, py = height / 2) => {
    const scale = Math.min(160, Math.max(fitted().scale / 2, now.scale * factor));
    setCamera({
      scale,
      x: px - ((px - now.x) * scale) / now.scale,
      y: py - ((py - now.y) * scale) / now.scale,
    });
  };
  const move = (dx: number, dy: number) => setCamera({ ...now, x: now.x + dx, y: now.y + dy });
  useEffect(() => {
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 0.8 : 1.25, event.offsetX, event.offsetY);
    };
    const element = box.current!;
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  });
  const [x, y] = at
    ? [Math.floor((at.x - now.x) / now.scale), Math.floor((at.y - now.y) / now.scale)]
    : [-1, -1];
  const inside = x >= 0 && y >= 0 && x < picture.width && y < picture.height;
  return (
    <>
      <div class="bar">
        <button type="button" onClick={() => zoom(1.5)} aria-label={`${t("keyZoom")} +`}>
          +
        </button>
        <button type="button" onClick={() => zoom(1 / 1.5)} aria-label={`${t("keyZoom")} −`}>
          −
        </button>
        <button type="button" onClick={() => setCamera(null)}>
          {t("fit")}
        </button>
        <button
          type="button"
          onClick={() =>
            setCamera({
              scale: 1,
              x: (width - picture.width) / 2,
              y: (height - picture.height) / 2,
            })
          }
        >
          {t("actualSize")}
        </button>
        <span role="status">
          {inside ? (
            t("pixelAt", x, y, pixelText(values, x, y, grey))
          ) : (
            <span class="muted">{t("lensHint")}</span>
          )}
        </span>
      </div>
      <div
        class="lens"
        ref={box}
        tabIndex={0}
        role="img"
        aria-label={label}
        style={{ filter: style }}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          const bounds = event.currentTarget.getBoundingClientRect();
          setAt({ x: event.clientX - bounds.left, y: event.clientY - bounds.top });
          if (event.buttons === 1) move(event.movementX, event.movementY);
        }}
        onPointerLeave={() => setAt(null)}
        onKeyDown={(event) => {
          if (event.key === "+" || event.key === "=") zoom(1.5);
          else if (event.key === "-") zoom(1 / 1.5);
          else if (event.key === "0") setCamera(null);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
    </>
  );
}
