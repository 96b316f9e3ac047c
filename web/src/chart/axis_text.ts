// Places on a chart's x axis in words.
import { formatCount, formatDuration, formatTime, formatValue, keepEnd } from "../core/format";
import { t as text } from "../core/text";
import { type Axis, isCounted } from "../core/view_state";
import type { Style } from "./draw";

/** The names of the axes (core/text.ts). */
export const axisNames = {
  step: "axisStep",
  samples: "axisSamples",
  relative: "axisRelative",
  time: "axisTime",
} as const;

export function xText(axis: Axis, value: number): string {
  if (isCounted(axis)) return formatCount(value);
  return axis === "relative" ? formatDuration(value) : formatTime(value);
}

export function headOf(at: number, { axis, against }: Style): string {
  if (against) return `${keepEnd(against, 28)} ${formatValue(at, 6)}`;
  return isCounted(axis) ? countText(axis, at) : xText(axis, at);
}

/** A step; a number of samples if the axis counts these. */
export function countText(axis: Axis, count: number): string {
  return text(axis === "samples" ? "samplesAt" : "stepAt", formatCount(count));
}
