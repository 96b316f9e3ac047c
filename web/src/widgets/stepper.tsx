// Moves through the recorded steps of a value by slider, buttons and arrow keys.

import type { Places } from "../core/api";
import { formatCount, formatTime } from "../core/format";
import { useText } from "../core/text";
import { IconButton } from "./icons";

/**
 * A recorded value as the address names it: its step, and ":k" for the k-th further value of the
 * same step. Values may share a step, or have steps that a number cannot tell apart.
 */
export function spotOf(steps: readonly number[], index: number): string {
  const step = steps[index];
  if (step === undefined) return "";
  let earlier = 0;
  for (let i = 0; i < index; i++) if (steps[i] === step) earlier++;
  return earlier > 0 ? `${step}:${earlier}` : String(step);
}

/**
 * The index of the value at a spot: of the nearest step, and its last value where there are fewer.
 * The newest value if nothing is wanted; -1 without steps.
 */
export function placeOf(steps: readonly number[], spot: string): number {
  if (spot === "" || steps.length === 0) return steps.length - 1;
  const [step = NaN, earlier = 0] = spot.split(":").map(Number);
  let best = 0;
  for (let i = 1; i < steps.length; i++) {
    if (Math.abs(steps[i]! - step) < Math.abs(steps[best]! - step)) best = i;
  }
  const same = steps[best];
  let left = earlier;
  for (let i = best + 1; i < steps.length && left > 0; i++) {
    if (steps[i] !== same) continue;
    best = i;
    left--;
  }
  return best;
}

interface StepperProps {
  places: Places;
  at: number;
  label: string;
  onStep: (index: number) => void;
}

export function Stepper({ places, at, label, onStep }: StepperProps) {
  const t = useText();
  const last = places.steps.length - 1;
  const where = t(
    "stepAmong",
    formatCount(places.steps[at] ?? 0),
    formatCount(at + 1),
    formatCount(last + 1),
  );
  return (
    <div class="stepper">
      <IconButton
        name="left"
        label={`${t("previous")}: ${label}`}
        disabled={at <= 0}
        onClick={() => onStep(at - 1)}
      />
      <input
        type="range"
        min="0"
        max={last}
        step="1"
        value={at}
        aria-label={t("stepOf", label)}
        aria-valuetext={where}
        onInput={(event) => onStep(Number(event.currentTarget.value))}
      />
      <IconButton
        name="right"
        label={`${t("next")}: ${label}`}
        disabled={at >= last}
        onClick={() => onStep(at + 1)}
      />
      <span class="muted" title={formatTime(places.times[at] ?? NaN)}>
        {where}
      </span>
    </div>
  );
}
