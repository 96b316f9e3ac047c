// Axes: from values to pixels, and where the ticks stand.
import { formatDuration, formatValue } from "../core/format";

export interface Scale {
  readonly lo: number;
  readonly hi: number;
  /** The pixel of a value. */
  at(value: number): number;
  /** The value of a pixel. */
  invert(pixel: number): number;
}

export function linearScale(lo: number, hi: number, from: number, to: number): Scale {
  const span = hi - lo || 1;
  return {
    lo,
    hi,
    at: (value) => from + ((value - lo) / span) * (to - from),
    invert: (pixel) => lo + ((pixel - from) / (to - from)) * span,
  };
}

/** Of positive values; what is not positive has no place and gives NaN. */
export function logScale(lo: number, hi: number, from: number, to: number): Scale {
  const a = Math.log10(lo);
  const span = Math.log10(hi) - a || 1;
  return {
    lo,
    hi,
    at: (value) => (value > 0 ? from + ((Math.log10(value) - a) / span) * (to - from) : NaN),
    invert: (pixel) => 10 ** (a + ((pixel - from) / (to - from)) * span),
  };
}

/** A range with some room at both ends; a single value gets room of its own size. */
export function padded(lo: number, hi: number, share = 0.05): [number, number] {
  if (!(lo <= hi)) return [0, 1];
  if (lo === hi) {
    const room = lo === 0 ? 1 : Math.abs(lo) * 0.1;
    return [lo - room, hi + room];
  }
  const room = (hi - lo) * share;
  return [lo - room, hi + room];
}

/** Round numbers (1, 2, 5 times a power of ten) in [lo, hi], about `wanted` of them. */
export function linearTicks(lo: number, hi: number, wanted: number): number[] {
  const span = hi - lo;
  if (!(span > 0) || !Number.isFinite(span)) return Number.isFinite(lo) ? [lo] : [];
  const raw = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  const factors = [0.5, 1, 2, 5, 10];
  let i = factors.findIndex((f) => f * power >= raw * 0.999);
  const within = (step: number) => Math.floor(hi / step + 1e-9) - Math.ceil(lo / step - 1e-9) + 1;
  // One round number in the whole range says little of it.
  while (i > 0 && wanted > 2 && within(factors[i]! * power) < 2) i--;
  const step = factors[i]! * power;
  const first = Math.ceil(lo / step - 1e-9);
  const ticks: number[] = [];
  for (let k = first; k * step <= hi + step * 1e-9 && ticks.length < 100; k++) {
    // 3 * 0.1 is 0.30000000000000004: the tick is the decimal that was meant.
    ticks.push(Number((k * step).toPrecision(12)));
  }
  return ticks;
}

/** Powers of ten; where there are fewer than two, 2 and 5 times them too; else round numbers. */
export function logTicks(lo: number, hi: number, wanted: number): number[] {
  const first = Math.floor(Math.log10(lo));
  const last = Math.ceil(Math.log10(hi));
  const every = Math.max(1, Math.ceil((last - first) / Math.max(1, wanted)));
  for (const factors of [[1], [1, 2, 5]]) {
    const ticks: number[] = [];
    for (let power = first; power <= last; power += every) {
      for (const factor of factors) {
        const tick = Number((factor * 10 ** power).toPrecision(3));
        if (tick >= lo && tick <= hi) ticks.push(tick);
      }
    }
    if (ticks.length >= 2) return ticks;
  }
  return linearTicks(lo, hi, wanted);
}

/** Labels that tell the ticks apart: as many digits as that needs, never six equal ones. */
export function tickLabels(ticks: readonly number[]): string[] {
  for (let digits = 3; digits <= 12; digits++) {
    const labels = ticks.map((tick) => formatValue(tick, digits));
    const exact = ticks.every((tick, i) => {
      const neighbour = ticks[i + 1] ?? ticks[i - 1];
      const gap = neighbour === undefined ? Math.abs(tick) : Math.abs(neighbour - tick);
      return Math.abs(Number(tick.toPrecision(digits)) - tick) <= gap * 1e-3;
    });
    if (exact && new Set(labels).size === labels.length) return labels;
  }
  return ticks.map((tick) => String(tick));
}

/** Labels of whole steps: 20 k, 1.5 M. */
export function stepLabels(ticks: readonly number[]): string[] {
  const largest = Math.max(0, ...ticks.map(Math.abs));
  const [unit, name] =
    largest >= 1e9
      ? [1e9, " G"]
      : largest >= 1e6
        ? [1e6, " M"]
        : largest >= 1e4
          ? [1e3, " k"]
          : [1, ""];
  const labels = tickLabels(ticks.map((tick) => tick / unit));
  return labels.map((label, i) => (ticks[i] === 0 ? "0" : label + name));
}

const timeSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400,
];

/** Ticks of seconds at whole seconds, minutes, hours or days. */
export function timeTicks(lo: number, hi: number, wanted: number, offset = 0): number[] {
  const raw = (hi - lo) / Math.max(1, wanted);
  if (!(raw > 1)) return linearTicks(lo, hi, wanted);
  const step = timeSteps.find((s) => s >= raw) ?? Math.ceil(raw / 86400) * 86400;
  const ticks: number[] = [];
  for (
    let i = Math.ceil((lo - offset) / step);
    i * step + offset <= hi && ticks.length < 100;
    i++
  ) {
    ticks.push(i * step + offset);
  }
  return ticks;
}

export function relativeLabels(ticks: readonly number[]): string[] {
  return ticks.map((tick) => (tick === 0 ? "0" : formatDuration(tick)));
}

/** Clock times in the reader's zone, with the day where the range is longer than one. */
export function wallLabels(ticks: readonly number[]): string[] {
  const span = (ticks[ticks.length - 1] ?? 0) - (ticks[0] ?? 0);
  const two = (n: number) => String(n).padStart(2, "0");
  return ticks.map((tick) => {
    const t = new Date(tick * 1000);
    const clock = `${two(t.getHours())}:${two(t.getMinutes())}`;
    if (span > 86400) return `${two(t.getMonth() + 1)}-${two(t.getDate())} ${clock}`;
    return span < 300 ? `${clock}:${two(t.getSeconds())}` : clock;
  });
}
