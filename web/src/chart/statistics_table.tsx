// Count, extremes, mean and deviation of each line.
import { formatCount, formatValue } from "../core/format";
import { useText } from "../core/text";
import { IconButton } from "../widgets/icons";
import { Swatch } from "../widgets/swatch";
import { statisticsOf } from "./derived";
import type { Line } from "./line";

const rowsAtMost = 500;

export function StatisticsTable({ lines, tag }: { lines: readonly Line[]; tag: string }) {
  const t = useText();
  const number = (value: number) => (Number.isFinite(value) ? formatValue(value, 6) : "–");
  const at = (value: number, step: number) =>
    Number.isFinite(value) ? `${formatValue(value, 6)} (${t("stepAt", formatCount(step))})` : "–";
  const copy = () => {
    const rows = lines.map((line) => {
      const of = statisticsOf(line);
      return [
        line.label,
        of.count,
        of.least,
        of.leastAt,
        of.most,
        of.mostAt,
        of.mean,
        of.deviation,
        of.last,
      ].join("\t");
    });
    void navigator.clipboard?.writeText(
      `run\tcount\tmin\tmin_step\tmax\tmax_step\tmean\tstd\tlast\n${rows.join("\n")}\n`,
    );
  };
  return (
    <div class="values" tabIndex={0} role="region" aria-label={t("statisticsOf", tag)}>
      <p class="muted">
        {lines.some((line) => !line.exact) && `${t("meansNeedPoints")} `}
        <IconButton name="copy" label={t("copy")} onClick={copy} />
      </p>
      <table class="data">
        <thead>
          <tr>
            {(["name", "count", "minOf", "maxOf", "mean", "std", "lastOf"] as const).map((key) => (
              <th key={key} scope="col">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, rowsAtMost).map((line) => {
            const of = statisticsOf(line);
            return (
              <tr key={`${line.run} ${line.rank}`}>
                <td>
                  <Swatch slot={line.slot} /> {line.label}
                </td>
                <td>{formatCount(of.count)}</td>
                <td>{at(of.least, of.leastAt)}</td>
                <td>{at(of.most, of.mostAt)}</td>
                <td>{number(of.mean)}</td>
                <td>{number(of.deviation)}</td>
                <td>{formatValue(of.last, 6)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
