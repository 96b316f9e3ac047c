// The objective of the runs that are kept: its distribution, and its values over one parameter.

import { hue, theme } from "../../core/colors";
import { formatCount, formatValue } from "../../core/format";
import { runOf, slots, toggleRun } from "../../core/model";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { type AxisOf, type Row, shareOn, ticksOf } from "./axes";
import { faultOf } from "./best";

const width = 420;
const height = 220;
const left = 52;
const bottom = height - 26;
const top = 10;

/** Counts of values in equal parts of their range, about as many as Sturges' rule gives. */
export function bucketsOf(
  values: readonly number[],
): { lo: number; hi: number; counts: number[] } | null {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return null;
  const [lo, hi] = [
    finite.reduce((a, b) => Math.min(a, b)),
    finite.reduce((a, b) => Math.max(a, b)),
  ];
  const counts = new Array<number>(lo === hi ? 1 : Math.ceil(Math.log2(finite.length)) + 1).fill(0);
  for (const value of finite)
    counts[
      lo === hi
        ? 0
        : Math.min(counts.length - 1, Math.floor(((value - lo) / (hi - lo)) * counts.length))
    ]!++;
  return { lo, hi, counts };
}

export function Spread({ name, values }: { name: string; values: readonly number[] }) {
  const t = useText();
  const buckets = bucketsOf(values);
  if (!buckets) return null;
  const { lo, hi, counts } = buckets;
  const most = Math.max(...counts);
  const each = (width - left - 12) / counts.length;
  const edge = (i: number) => lo + ((hi - lo) * i) / counts.length;
  return (
    <figure>
      <figcaption>{t("spreadOf", name)}</figcaption>
      <svg
        class="plot"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={counts
          .map((count, i) =>
            t("bucket", formatValue(edge(i), 3), formatValue(edge(i + 1), 3), count),
          )
          .join("; ")}
      >
        {counts.map((count, i) => (
          <rect
            key={i}
            class="bar-of"
            x={left + i * each}
            width={Math.max(1, each - 1)}
            y={bottom - (count / most) * (bottom - top)}
            height={(count / most) * (bottom - top)}
          >
            <title>
              {t("bucket", formatValue(edge(i)), formatValue(edge(i + 1)), formatCount(count))}
            </title>
          </rect>
        ))}
        <text x={left - 6} y={top + 8} text-anchor="end">
          {formatCount(most)}
        </text>
        <text x={left} y={height - 8}>
          {formatValue(lo)}
        </text>
        <text x={width - 12} y={height - 8} text-anchor="end">
          {formatValue(hi)}
        </text>
      </svg>
    </figure>
  );
}

export function Scatter({
  rows,
  axes,
  parameter,
  objective,
}: {
  rows: readonly Row[];
  axes: readonly AxisOf[];
  parameter: number;
  objective: number;
}) {
  const t = useText();
  const scheme = useStore(theme);
  const held = useStore(slots);
  const [across, up] = [axes[parameter]!, axes[objective]!];
  const x = (share: number) => left + 8 + share * (width - left - 28);
  const y = (share: number) => bottom - 6 - share * (bottom - top - 12);
  const points = rows.flatMap((row) => {
    const [a, b] = [shareOn(across, row.values[parameter]), shareOn(up, row.values[objective])];
    return Number.isNaN(a + b) ? [] : [{ row, x: x(a), y: y(b) }];
  });
  return (
    <figure>
      <figcaption>{t("scatterOf", up.key, across.key)}</figcaption>
      <svg
        class="plot"
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={t("scatterOf", up.key, across.key)}
      >
        {ticksOf(up, 5, 0.08).map(({ share, text }) => (
          <text key={text} x={left - 6} y={y(share) + 4} text-anchor="end">
            {text}
          </text>
        ))}
        {ticksOf(across, 5, 0.12).map(({ share, text }) => (
          <text key={text} x={x(share)} y={height - 8} text-anchor="middle">
            {text}
          </text>
        ))}
        <path class="axis" d={`M${left} ${top}V${bottom}H${width - 12}`} />
        {points.map(({ row, x: px, y: py }) => {
          const slot = held.get(row.run);
          const color = slot === undefined ? "currentcolor" : hue(scheme, slot);
          // Runs that cannot be the best are hollow.
          const fault = faultOf(runOf(row.run), up.key);
          const word = fault ? `, ${t(fault === "nan" ? "nanAtEnd" : "stateKilled")}` : "";
          return (
            <circle
              key={row.run}
              cx={px}
              cy={py}
              r={slot === undefined ? 3 : 4.5}
              fill={fault ? "transparent" : color}
              stroke={fault ? color : "none"}
              opacity={slot === undefined ? 0.35 : 0.95}
              onClick={() => toggleRun(row.run)}
            >
              <title>{`${runOf(row.run)?.name ?? row.run}: ${row.values[parameter]}, ${row.values[objective]}${word}`}</title>
            </circle>
          );
        })}
      </svg>
    </figure>
  );
}
