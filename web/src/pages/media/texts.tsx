// A recorded text, or an array of them as a table.
import { getValue, type Place } from "../../core/api";
import { formatCount } from "../../core/format";
import type { Read, Schemas } from "../../core/http";
import { useSwitch } from "../../core/setting";
import { useLoaded } from "../../core/store";
import { useText } from "../../core/text";
import { Failed, Loading } from "../../widgets/notice";
import { Markdown } from "./markdown_view";

const rowsAtMost = 1000;

/** Two dimensions of an array of texts. `index`: the other ones, as "[0, 1, :, :]", or "". */
export interface TextTable {
  index: string;
  rows: string[][];
}

/**
 * The tables of an array of texts in C order: a row for each text of one dimension, and a table for
 * each index of the dimensions before the last two. None for a single text. Texts that do not fill
 * the shape are one column.
 */
export function tablesOf(shape: readonly number[], texts: readonly string[]): TextTable[] {
  const filled = shape.reduce((product, size) => product * size, 1) === texts.length;
  const sizes = filled ? shape : [texts.length];
  if (texts.length === 1 && sizes.length < 2) return [];
  const width = sizes.length < 2 ? 1 : sizes[sizes.length - 1]!;
  const height = sizes.length < 2 ? texts.length : sizes[sizes.length - 2]!;
  const before = sizes.slice(0, -2);
  const each = width * height;
  return Array.from({ length: each === 0 ? 0 : texts.length / each }, (_, k) => ({
    index: before.length === 0 ? "" : `[${[...indexAt(before, k), ":", ":"].join(", ")}]`,
    rows: Array.from({ length: height }, (_row, i) =>
      texts.slice(k * each + i * width, k * each + (i + 1) * width),
    ),
  }));
}

/** The index of element `k`, in C order. */
function indexAt(sizes: readonly number[], k: number): number[] {
  const index: number[] = [];
  let rest = k;
  for (const size of [...sizes].reverse()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}

function Table({ table, plain }: { table: TextTable; plain: boolean }) {
  return (
    <>
      {table.index && <p class="muted">{table.index}</p>}
      <table class="data">
        <tbody>
          {table.rows.map((row, i) => (
            <tr key={i}>
              {row.map((text, j) => (
                <td key={j}>
                  <Markdown text={text} plain={plain} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The first rows of several tables. */
function firstRows(tables: readonly TextTable[], most: number): TextTable[] {
  let left = most;
  return tables.flatMap((table) => {
    const rows = table.rows.slice(0, Math.max(0, left));
    left -= rows.length;
    return rows.length > 0 ? [{ ...table, rows }] : [];
  });
}

/** Whether texts are shown as they were recorded, not as Markdown. */
export const usePlainTexts = () => useSwitch("plain");

export function TextValue({ place }: { place: Place }) {
  const t = useText();
  const [plain] = usePlainTexts();
  const { data, error } = useLoaded(JSON.stringify(place), (signal) =>
    getValue<Read<Schemas["Texts"]>>(place, signal),
  );
  if (error) return <Failed error={error} />;
  if (!data) return <Loading />;
  const { shape, texts } = data;
  if (texts.length === 0) return <p class="muted">{t("noTexts", `[${shape.join(", ")}]`)}</p>;
  const tables = tablesOf(shape, texts);
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  return (
    <div class="recorded" tabIndex={0} role="group" aria-label={place.tag}>
      {tables.length === 0 && <Markdown text={texts[0]!} plain={plain} />}
      {firstRows(tables, rowsAtMost).map((table) => (
        <Table key={table.index} table={table} plain={plain} />
      ))}
      {rows > rowsAtMost && (
        <p class="muted">{t("pointsShown", formatCount(rowsAtMost), formatCount(rows))}</p>
      )}
    </div>
  );
}
