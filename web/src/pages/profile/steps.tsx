// Step trace: each step as gap, work and tail, and their means.
import { useEffect, useRef, useState } from "preact/hooks";
import { labelFont, prepare } from "../../chart/draw";
import { linearTicks } from "../../chart/scale";
import type { OperatorRow, StepMean, Steps } from "../../core/api_profile";
import { hue, inkOnHue, readTokens, slotOf, type Theme, theme } from "../../core/colors";
import { formatCount, formatNs, formatShare } from "../../core/format";
import { useSize } from "../../core/size";
import { useStore } from "../../core/store";
import { type TextKey, useText } from "../../core/text";

export const parts = ["gap", "work", "tail"] as const;
type Part = (typeof parts)[number];
/** Waiting is orange, as in the timeline. */
const slots: Record<Part, number> = { gap: 1, work: 0, tail: 3 };
export const partNames: Record<Part, TextKey> = {
  gap: "stepGap",
  work: "stepWork",
  tail: "stepTail",
};
const rowsShown = 500;

/** The longest step of each column of pixels, so that slow ones are visible. */
export function longestSteps(total: readonly number[], columns: number): number[] {
  if (total.length <= columns) return total.map((_, i) => i);
  return Array.from({ length: columns }, (_, c) => {
    const first = Math.floor((c * total.length) / columns);
    const last = Math.floor(((c + 1) * total.length) / columns);
    let best = first;
    for (let i = first + 1; i < last; i++) if (total[i]! > total[best]!) best = i;
    return best;
  });
}

function drawSteps(
  context: CanvasRenderingContext2D,
  steps: Steps,
  width: number,
  height: number,
  scheme: Theme,
): void {
  const tokens = readTokens();
  const bottom = height - 20;
  const left = 64;
  const most = steps.total.reduce((a, b) => Math.max(a, b), 1);
  const y = (time: number) => bottom - (time / most) * (bottom - 8);
  context.font = labelFont;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const tick of linearTicks(0, most, 4)) {
    const at = Math.round(y(tick)) + 0.5;
    context.strokeStyle = tokens.hairline;
    context.beginPath();
    context.moveTo(left, at);
    context.lineTo(width, at);
    context.stroke();
    context.fillStyle = tokens.muted;
    context.fillText(formatNs(tick, 3), left - 6, at);
  }
  const shown = longestSteps(steps.total, Math.max(1, Math.floor(width - left)));
  const each = (width - left) / shown.length;
  context.textAlign = "center";
  const every = Math.max(1, Math.ceil(48 / each));
  shown.forEach((step, i) => {
    let top = bottom;
    for (const part of parts) {
      const size = (steps[part][step]! / most) * (bottom - 8);
      top -= size;
      context.fillStyle = hue(scheme, slots[part]);
      context.fillRect(left + i * each, top, Math.max(1, each - (each > 3 ? 1 : 0)), size);
    }
    context.fillStyle = tokens.muted;
    if (i % every === 0)
      context.fillText(formatCount(steps.number[step]!), left + (i + 0.5) * each, height - 8);
  });
}

export interface StepPart {
  name: string;
  time: number;
  slot: number;
}

/** Whether the split is meaningful: without operators the whole step would be its gap. */
export function isSplit(mean: StepMean): boolean {
  return mean.work > 0 || mean.tail > 0;
}

export function partsOf(mean: StepMean, name: (key: TextKey) => string): StepPart[] {
  return parts.map((part) => ({
    name: name(partNames[part]),
    time: mean[part],
    slot: slots[part],
  }));
}

/** The named parts of every step, for a profile whose steps have no operators. */
export function namedParts(rows: readonly OperatorRow[], steps: number): StepPart[] {
  return rows
    .filter((row) => row.count >= steps)
    .map((row) => ({
      name: row.type,
      time: row.total / steps,
      slot: slotOf({ name: row.type, type: row.type }),
    }));
}

/** A step's mean as a bar with its parts. */
export function StepBar({ total, parts: shown }: { total: number; parts: readonly StepPart[] }) {
  const scheme = useStore(theme);
  const rest = total - shown.reduce((sum, part) => sum + part.time, 0);
  return (
    <div class="step-bar">
      {shown
        .filter((part) => part.time > 0)
        .map(({ name, time, slot }) => (
          <span
            key={name}
            title={`${name} ${formatNs(time)}`}
            style={{
              flexGrow: time / total,
              background: hue(scheme, slot),
              color: inkOnHue(scheme, slot),
            }}
          >
            {time / total > 0.15 ? `${name} ${formatNs(time, 3)}` : ""}
          </span>
        ))}
      {rest > 0 && <span style={{ flexGrow: rest / total, background: "var(--hairline)" }} />}
    </div>
  );
}

export function stepSource(steps: Steps): TextKey {
  if (steps.inferred) return "stepsInferred";
  return steps.own_clock ? "stepsRecorded" : "stepsMarked";
}

export function StepsView({ steps }: { steps: Steps }) {
  const t = useText();
  const scheme = useStore(theme);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const [first, setFirst] = useState(0);
  useEffect(() => {
    if (canvas.current && width > 0 && steps.count > 0)
      drawSteps(prepare(canvas.current, width, height), steps, width, height, scheme);
  }, [steps, width, height, scheme]);
  if (steps.count === 0) return <p class="muted">{t("noSteps")}</p>;
  const share = (value: number, total: number) =>
    `${formatNs(value)} (${formatShare(total > 0 ? value / total : 0)})`;
  const row = (name: string, of: StepMean) => (
    <tr key={name}>
      <td>{name}</td>
      <td>{formatNs(of.total)}</td>
      {parts.map((part) => (
        <td key={part}>{share(of[part], of.total)}</td>
      ))}
      <td>{of.communication > 0 ? formatNs(of.communication) : "–"}</td>
    </tr>
  );
  const at = (i: number): StepMean => ({
    total: steps.total[i]!,
    gap: steps.gap[i]!,
    work: steps.work[i]!,
    tail: steps.tail[i]!,
    communication: steps.communication[i]!,
  });
  const last = Math.min(steps.number.length, first + rowsShown);
  return (
    <>
      <p>
        {t(stepSource(steps), formatCount(steps.count))}{" "}
        {steps.forward_operator && t("forwardBegins", steps.forward_operator)}{" "}
        {steps.backward_operator && t("backwardEnds", steps.backward_operator)}
      </p>
      <p class="legend">
        {parts.map((part) => (
          <span key={part}>
            <i style={{ background: hue(scheme, slots[part]) }} /> {t(partNames[part])}
          </span>
        ))}
        {steps.count > width - 64 && width > 0 && <span class="muted">{t("longestShown")}</span>}
      </p>
      <div class="chart steps" ref={box} role="img" aria-label={t("stepTrace")}>
        <canvas ref={canvas} aria-hidden="true" data-drawn="yes" />
      </div>
      <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("stepTrace")}>
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t("step")}</th>
              <th scope="col">{t("total")}</th>
              {parts.map((part) => (
                <th key={part} scope="col">
                  {t(partNames[part])}
                </th>
              ))}
              <th scope="col">{t("communication")}</th>
            </tr>
          </thead>
          <tbody>
            {row(t("mean"), steps.mean)}
            {row(t("meanWithoutFirst"), steps.mean_without_first)}
            {Array.from({ length: last - first }, (_, i) =>
              row(formatCount(steps.number[first + i]!), at(first + i)),
            )}
          </tbody>
        </table>
      </div>
      {steps.number.length > rowsShown && (
        <div class="bar">
          <button type="button" disabled={first === 0} onClick={() => setFirst(first - rowsShown)}>
            {t("earlier")}
          </button>
          <button
            type="button"
            disabled={last === steps.number.length}
            onClick={() => setFirst(first + rowsShown)}
          >
            {t("later")}
          </button>
          <span class="muted">
            {t(
              "pointsShown",
              `${formatCount(first + 1)}–${formatCount(last)}`,
              formatCount(steps.count),
            )}
          </span>
        </div>
      )}
    </>
  );
}
