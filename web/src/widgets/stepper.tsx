// Moves through the recorded steps of a value by slider, buttons and arrow keys.

import type { Places } from "../core/api";
import { formatCount, formatTime } from "../core/format";
import { useText } from "../core/text";
import { IconButton } from "./icons";

/** The index of the step nearest to `wanted`, or of the newest if it is null; -1 without steps. */
export function placeOf(steps: readonly number[], wanted: number | null): number {
  if (wanted === null || steps.length === 0) return steps.length - 1;
  let best = 0;
  for (let i = 1; i < steps.length; i++) {
    if (Math.abs(steps[i]! - wanted) < Math.abs(steps[best]! - wanted)) best = i;
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
