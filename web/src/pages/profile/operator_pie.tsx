// The operators' share of the time as a pie: the greatest types, and the others together.
import type { OperatorRow } from "../../core/api_profile";
import { hue, theme } from "../../core/colors";
import { formatShare, keepEnd } from "../../core/format";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";

const slicesAtMost = 9;

/**
 * The rows of one side, since times of the host and of a device are never added: the device's, where
 * a profile has both.
 */
export function oneSide(rows: readonly OperatorRow[]): readonly OperatorRow[] {
  const ofDevice = rows.filter(({ on_device }) => on_device);
  return ofDevice.length > 0 ? ofDevice : rows;
}

export interface Slice {
  name: string;
  share: number;
  types: number;
}

/**
 * The types by falling share; all shares add up to 1. Types after the ninth are one slice without a
 * name.
 */
export function slicesOf(rows: readonly OperatorRow[]): Slice[] {
  const all = rows.reduce((sum, row) => sum + row.share, 0);
  if (!(all > 0)) return [];
  const falling = [...rows]
    .sort((a, b) => b.share - a.share)
    .map((row) => ({ name: row.type || row.name, share: row.share / all, types: 1 }))
    .filter(({ share }) => share > 0);
  if (falling.length <= slicesAtMost + 1) return falling;
  const others = falling.slice(slicesAtMost);
  return [
    ...falling.slice(0, slicesAtMost),
    { name: "", share: others.reduce((sum, { share }) => sum + share, 0), types: others.length },
  ];
}

const place = (share: number, radius: number) =>
  `${(50 + radius * Math.sin(2 * Math.PI * share)).toFixed(2)} ${(50 - radius * Math.cos(2 * Math.PI * share)).toFixed(2)}`;

function path(from: number, to: number): string {
  if (to - from > 0.9999) return "M50 2A48 48 0 1 1 49.99 2ZM50 24A26 26 0 1 0 50.01 24Z";
  const long = to - from > 0.5 ? 1 : 0;
  return `M${place(from, 48)}A48 48 0 ${long} 1 ${place(to, 48)}L${place(to, 26)}A26 26 0 ${long} 0 ${place(from, 26)}Z`;
}

export function OperatorPie({ rows }: { rows: readonly OperatorRow[] }) {
  const t = useText();
  const scheme = useStore(theme);
  const side = oneSide(rows);
  const slices = slicesOf(side);
  if (slices.length < 2) return null;
  const named = (slice: Slice) => slice.name || t("otherTypes", slice.types);
  const color = (slice: Slice, i: number) => (slice.name ? hue(scheme, i) : "var(--muted)");
  let from = 0;
  return (
    <figure class="pie">
      <svg
        viewBox="0 0 100 100"
        role="img"
        aria-label={slices
          .map((slice) => `${named(slice)}: ${formatShare(slice.share)}`)
          .join("; ")}
      >
        {slices.map((slice, i) => {
          const begin = from;
          from += slice.share;
          return (
            <path key={slice.name} d={path(begin, from)} fill={color(slice, i)}>
              <title>
                {named(slice)}: {formatShare(slice.share)}
              </title>
            </path>
          );
        })}
      </svg>
      <figcaption>
        {slices.map((slice, i) => (
          <span key={slice.name}>
            <i style={{ background: color(slice, i) }} />
            <span class="mono" title={named(slice)}>
              {keepEnd(named(slice), 28)}
            </span>
            <b>{formatShare(slice.share)}</b>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
