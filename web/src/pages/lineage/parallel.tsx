// Parallel coordinates: an axis for each setting or result, a line for each run. A drag along an axis
// keeps the runs within.
import { useRef } from "preact/hooks";
import { css, hue, theme, viridisOf } from "../../core/colors";
import { keepEnd } from "../../core/format";
import { runOf, slots } from "../../core/model";
import { useSize } from "../../core/size";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { type AxisOf, kept, type Row, shareOn, ticksOf } from "./axes";

const linesAtMost = 2000;
const height = 300;
const top = 34;
const bottom = height - 14;

interface PlotProps {
  rows: readonly Row[];
  axes: readonly AxisOf[];
  shown: readonly number[];
  objective: number;
  byObjective: boolean;
  brushes: ReadonlyMap<string, readonly [number, number]>;
  onBrush: (key: string, brush: [number, number] | null) => void;
}

export function Parallel({
  rows,
  axes,
  shown,
  objective,
  byObjective,
  brushes,
  onBrush,
}: PlotProps) {
  const t = useText();
  const scheme = useStore(theme);
  const held = useStore(slots);
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ key: string; from: number } | null>(null);
  const { width } = useSize(box);
  const inner = Math.max(width, shown.length * 118);
  const x = (i: number) => 50 + (shown.length > 1 ? (i / (shown.length - 1)) * (inner - 130) : 0);
  const y = (share: number) => bottom - share * (bottom - top);
  const inside = new Set(kept(rows, axes, shown, brushes).map((row) => row.run));
  const shareAt = (event: PointerEvent) => {
    const bounds = box.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (bottom - (event.clientY - bounds.top)) / (bottom - top)));
  };
  const lines = rows.slice(0, linesAtMost).map((row) => {
    let path = "";
    let open = false;
    shown.forEach((column, i) => {
      const share = shareOn(axes[column]!, row.values[column]);
      if (Number.isNaN(share)) open = false;
      else {
        // A value alone is a dot: a line without a length.
        path += `${open ? "L" : "M"}${x(i).toFixed(1)} ${y(share).toFixed(1)}${open ? "" : "h0"}`;
        open = true;
      }
    });
    const slot = held.get(row.run);
    const share =
      objective >= 0 && byObjective ? shareOn(axes[objective]!, row.values[objective]) : NaN;
    const color = Number.isNaN(share)
      ? slot === undefined
        ? "currentcolor"
        : hue(scheme, slot)
      : css(viridisOf(scheme === "dark" ? 0.25 + 0.75 * share : 0.85 * share));
    return { row, path, color, inside: inside.has(row.run), slot };
  });
  return (
    <div ref={box} class="grid-wrap" tabIndex={0} role="region" aria-label={t("lineage")}>
      <svg width={inner} height={height} role="group" aria-label={t("brushHint")}>
        {lines.map(({ row, path, color, inside: within, slot }) => (
          <path
            key={row.run}
            d={path}
            fill="none"
            stroke-linecap="round"
            stroke={within ? color : "currentcolor"}
            stroke-width={slot === undefined ? 1.25 : 2}
            opacity={within ? 0.9 : 0.08}
          >
            <title>{runOf(row.run)?.name ?? row.run}</title>
          </path>
        ))}
        {shown.map((column, i) => {
          const axis = axes[column]!;
          const brush = brushes.get(axis.key);
          return (
            <g key={axis.key}>
              <line x1={x(i)} x2={x(i)} y1={top} y2={bottom} stroke="currentcolor" opacity="0.6" />
              <text x={x(i)} y={14} text-anchor="middle" font-size="12" fill="currentcolor">
                {keepEnd(axis.key, 16)}
                <title>{axis.key}</title>
              </text>
              {ticksOf(axis, 8, 0.05).map(({ share, text }) => (
                <text key={text} class="of-axis" x={x(i) + 5} y={y(share) + 3}>
                  {text}
                </text>
              ))}
              {brush && (
                <rect
                  x={x(i) - 8}
                  width="16"
                  y={y(brush[1])}
                  height={Math.max(2, y(brush[0]) - y(brush[1]))}
                  fill="currentcolor"
                  opacity="0.25"
                />
              )}
              <rect
                x={x(i) - 12}
                width="24"
                y={top - 6}
                height={bottom - top + 12}
                fill="transparent"
                data-axis={axis.key}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  drag.current = { key: axis.key, from: shareAt(event) };
                }}
                onPointerMove={(event) => {
                  if (drag.current?.key !== axis.key) return;
                  const ends = [drag.current.from, shareAt(event)].sort((a, b) => a - b);
                  if (ends[1]! - ends[0]! > 0.01) onBrush(axis.key, [ends[0]!, ends[1]!]);
                }}
                onPointerUp={(event) => {
                  if (drag.current && Math.abs(drag.current.from - shareAt(event)) <= 0.01)
                    onBrush(axis.key, null);
                  drag.current = null;
                }}
              />
            </g>
          );
        })}
      </svg>
    </div>
  );
}
