// A curve over a profile's time or over samples. Each column of pixels shows its least and greatest
// value.
import { useEffect, useRef } from "preact/hooks";
import { labelFont, prepare } from "../../chart/draw";
import { linearScale, linearTicks, padded, tickLabels } from "../../chart/scale";
import { hue, readTokens, theme } from "../../core/colors";
import { useSize } from "../../core/size";
import { useEvent, useStore } from "../../core/store";

export interface CurveData {
  x: ArrayLike<number>;
  min: ArrayLike<number>;
  max: ArrayLike<number>;
}
interface Props {
  data: CurveData | null;
  label: string;
  xTicks: (
    range: readonly [number, number],
    wanted: number,
  ) => { ticks: number[]; labels: string[] };
  value?: (value: number) => string;
  /** The greatest possible value, such as a queue's capacity. */
  limit?: number;
}

/** Least and greatest value, with `limit` and some room. */
function rangeOf(
  { min, max }: CurveData,
  limit: number,
): { least: number; lo: number; hi: number } {
  let least = 0;
  let most = limit;
  for (let i = 0; i < min.length; i++) {
    if (min[i]! < least) least = min[i]!;
    if (max[i]! > most) most = max[i]!;
  }
  const [lo, hi] = padded(least, most, 0.06);
  return { least, lo, hi };
}

interface Area {
  width: number;
  height: number;
  color: string;
}

function drawCurve(
  context: CanvasRenderingContext2D,
  data: CurveData,
  { xTicks, value, limit = 0 }: Props,
  { width, height, color }: Area,
): void {
  const tokens = readTokens();
  const { least, lo, hi } = rangeOf(data, limit);
  const ticks = linearTicks(Math.max(lo, least), hi, 4);
  const labels = value ? ticks.map(value) : tickLabels(ticks);
  const left = 10 + Math.max(20, ...labels.map((text) => text.length * 6.4));
  const first = data.x[0]!;
  const last = data.x[data.x.length - 1]!;
  const x = linearScale(first, last > first ? last : first + 1, left, width - 10);
  const y = linearScale(Math.min(lo, 0) === lo && least >= 0 ? 0 : lo, hi, height - 20, 6);
  context.font = labelFont;
  context.fillStyle = tokens.muted;
  context.strokeStyle = tokens.hairline;
  context.textBaseline = "middle";
  context.textAlign = "right";
  ticks.forEach((tick, i) => {
    const at = Math.round(y.at(tick)) + 0.5;
    context.beginPath();
    context.moveTo(left, at);
    context.lineTo(width - 10, at);
    context.stroke();
    context.fillText(labels[i]!, left - 6, at);
  });
  const axis = xTicks([x.lo, x.hi], Math.max(3, Math.floor(width / 80)));
  context.textAlign = "center";
  axis.ticks.forEach((tick, i) =>
    context.fillText(axis.labels[i]!, Math.min(x.at(tick), width - 24), height - 8),
  );
  // A sample is valid until the next one.
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let i = 0; i < data.x.length; i++) {
    const px = x.at(data.x[i]!);
    if (i === 0) context.moveTo(px, y.at(data.min[i]!));
    else context.lineTo(px, y.at(data.max[i - 1]!));
    context.lineTo(px, y.at(data.min[i]!));
    context.lineTo(px, y.at(data.max[i]!));
  }
  context.stroke();
}

export function Curve(props: Props) {
  const { data, label } = props;
  const color = hue(useStore(theme), 0);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const draw = useEvent((context: CanvasRenderingContext2D) => {
    if (data && data.x.length > 0) drawCurve(context, data, props, { width, height, color });
  });
  useEffect(() => {
    if (canvas.current && width > 0) draw(prepare(canvas.current, width, height));
  }, [data, width, height, color, props.limit]);
  return (
    <div class="chart curve" ref={box} role="img" aria-label={label}>
      <canvas ref={canvas} aria-hidden="true" data-drawn={data ? "yes" : "no"} />
    </div>
  );
}
