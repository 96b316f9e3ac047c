// Precision-recall curves of TensorBoard's logs, at any recorded step.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { drawPlot, layOut, prepare, type Style } from "../../chart/draw";
import type { Line } from "../../chart/line";
import { getValue, type Place } from "../../core/api";
import { theme } from "../../core/colors";
import { formatValue } from "../../core/format";
import { toNumber } from "../../core/http";
import { useSize } from "../../core/size";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { Failed } from "../../widgets/notice";

/**
 * `data`: true and false positives, true and false negatives, precision, recall; `shape[1]`
 * thresholds from 0 to 1 each.
 */
export interface CurveValue {
  shape: number[];
  data: number[];
}

export function curveOf({
  shape: [rows = 0, count = 0],
  data,
}: CurveValue): { recall: Float64Array; precision: Float64Array } | null {
  if (rows !== 6 || data.length < 6 * count) return null;
  const part = (row: number) =>
    Float64Array.from(data.slice(row * count, (row + 1) * count), toNumber);
  // From the highest threshold down, so that recall grows.
  return { precision: part(4).reverse(), recall: part(5).reverse() };
}

/** The area under a curve, by trapezoids. */
export function areaOf({
  recall,
  precision,
}: {
  recall: Float64Array;
  precision: Float64Array;
}): number {
  let area = 0;
  for (let i = 1; i < recall.length; i++)
    area += ((precision[i]! + precision[i - 1]!) / 2) * (recall[i]! - recall[i - 1]!);
  return area;
}

const style: Style = {
  axis: "step",
  log: false,
  range: [0, 1],
  compact: false,
  against: "recall",
  rangeY: [-0.02, 1.02],
};
const none = new Float64Array(0);

export function CurveCard({ place, slot }: { place: Place; slot: number }) {
  const t = useText();
  const scheme = useStore(theme);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const { data, error } = useLoaded(JSON.stringify(place), (signal) =>
    getValue<CurveValue>(place, signal),
  );
  const curve = useMemo(() => (data ? curveOf(data) : null), [data]);
  useEffect(() => {
    if (!curve || !canvas.current || width === 0) return;
    const { recall: x, precision: y } = curve;
    const line: Line = {
      run: place.run,
      rank: 0,
      label: "",
      slot,
      exact: true,
      inRange: x.length,
      x,
      lo: y,
      hi: y,
      first: y,
      last: y,
      count: null,
      steps: x,
      times: none,
      nan: null,
      up: null,
      down: null,
      smoothed: null,
    };
    const plot = layOut([line], width, height, style);
    const context = prepare(canvas.current, width, height);
    if (plot) drawPlot(context, plot, [line], style, scheme);
  }, [curve, place.run, width, height, scheme, slot]);
  if (error) return <Failed error={error} />;
  if (data && !curve) return <p class="muted">–</p>;
  const count = curve?.recall.length ?? 0;
  return (
    <>
      <div
        class="chart"
        ref={box}
        role="img"
        aria-label={`${place.tag}: ${t("precision")}, ${t("recall")}`}
      >
        <canvas ref={canvas} aria-hidden="true" data-drawn={curve ? "yes" : "no"} />
      </div>
      {curve && <p class="muted">{t("curveArea", formatValue(areaOf(curve)))}</p>}
      {curve && (
        <details>
          <summary>{t("showTable")}</summary>
          <div class="values" tabIndex={0} role="region" aria-label={t("valuesOf", place.tag)}>
            <table class="data">
              <thead>
                <tr>
                  <th scope="col">{t("threshold1")}</th>
                  <th scope="col">{t("precision")}</th>
                  <th scope="col">{t("recall")}</th>
                </tr>
              </thead>
              <tbody>
                {Array.from({ length: count }, (_, i) => (
                  <tr key={i}>
                    <td>{formatValue(1 - i / Math.max(1, count - 1), 3)}</td>
                    <td>{formatValue(curve.precision[i]!)}</td>
                    <td>{formatValue(curve.recall[i]!)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </>
  );
}
