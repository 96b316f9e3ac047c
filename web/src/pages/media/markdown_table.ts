// Reads a text that is a Markdown table, as TensorBoard files have for lineage and
// hyper-parameters.

/**
 * The rows, the head first; null if the text is not a table. In a cell, `\|` is `|` and `&lt;` is
 * `<`.
 */
export function rowsOfTable(text: string): string[][] | null {
  const [head, rule, ...body] = text.trim().split("\n").map(cellsOf);
  if (!head || !rule?.every((cell) => /^:?-+:?$/.test(cell))) return null;
  const rows = [head, ...body];
  return rows.every((row) => row?.length === head.length) ? (rows as string[][]) : null;
}

function cellsOf(line: string): string[] | null {
  if (!/^\s*\|.*\|\s*$/.test(line)) return null;
  const inner = line.trim().slice(1);
  return Array.from(inner.matchAll(/((?:\\.|[^\\|])*)\|/g), (cell) => plain(cell[1]!.trim()));
}

function plain(cell: string): string {
  return cell
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}
