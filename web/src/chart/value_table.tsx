// The values of a chart as a table.
import { exactValue, formatCount } from "../core/format";
import { useText } from "../core/text";
import type { Axis } from "../core/view_state";
import { IconButton } from "../widgets/icons";
import { Swatch } from "../widgets/swatch";
import { axisNames, xText } from "./axis_text";
import { heldAsColumns, smoothColumns } from "./chart_lines";
import type { Line } from "./line";

// Nobody reads a longer table.
const rowsAtMost = 300;

interface Row {
  line: Line;
  i: number;
}

function text({ line, i }: Row): string {
  const many = line.count !== null && line.count[i]! > 1;
  return many
    ? `${exactValue(line.lo[i]!)} … ${exactValue(line.hi[i]!)}`
    : exactValue(line.last[i]!);
}

export function ValueTable({
  lines,
  axis,
  tag,
}: {
  lines: readonly Line[];
  axis: Axis;
  tag: string;
}) {
  const t = useText();
  const total = lines.reduce((sum, line) => sum + line.x.length, 0);
  const each = Math.max(1, Math.floor(rowsAtMost / Math.max(1, lines.length)));
  const rows: Row[] = lines.flatMap((line) =>
    Array.from({ length: Math.min(each, line.x.length) }, (_, i) => ({ line, i })),
  );
  const copy = () => {
    const all = lines.flatMap((line) =>
      Array.from(
        { length: line.x.length },
        (_, i) => `${line.label}\t${line.x[i]}\t${text({ line, i })}`,
      ),
    );
    void navigator.clipboard?.writeText(`run\t${axis}\tvalue\n${all.join("\n")}\n`);
  };
  return (
    <div class="values" tabIndex={0} role="region" aria-label={t("valuesOf", tag)}>
      <p class="muted">
        {t("pointsShown", formatCount(rows.length), formatCount(total))}.{" "}
        {lines.some((line) => !line.exact) && t("columnsShown")}{" "}
        {lines.some(heldAsColumns)
          ? t("csvHasColumns", formatCount(smoothColumns))
          : t("csvHasAll")}
        <IconButton name="copy" label={t("copy")} onClick={copy} />
      </p>
      <table class="data">
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t(axisNames[axis])}</th>
            <th scope="col">{t("value")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.line.run} ${row.line.rank} ${row.i}`}>
              <td>
                <Swatch slot={row.line.slot} /> {row.line.label}
              </td>
              <td>{xText(axis, row.line.x[row.i]!)}</td>
              <td>{text(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
