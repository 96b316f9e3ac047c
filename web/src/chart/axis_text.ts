// Places on a chart's x axis in words.
import { formatCount, formatDuration, formatTime, formatValue, keepEnd } from "../core/format";
import { t as text } from "../core/text";
import type { Axis } from "../core/view_state";
import type { Style } from "./draw";

export function xText(axis: Axis, value: number): string {
  if (axis === "step") return formatCount(value);
  return axis === "relative" ? formatDuration(value) : formatTime(value);
}

export function headOf(at: number, { axis, against }: Style): string {
  if (against) return `${keepEnd(against, 28)} ${formatValue(at, 6)}`;
  return axis === "step" ? text("stepAt", xText(axis, at)) : xText(axis, at);
}
