// Reads Markdown, in which texts for TensorBoard are written, into a tree. HTML in it stays text.

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "em" | "del"; parts: Inline[] }
  | { kind: "link"; address: string; parts: Inline[] };

export type Block =
  | { kind: "heading"; level: number; parts: Inline[] }
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "rule" }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; first: number | null; items: Block[][] }
  | { kind: "table"; rows: Inline[][][] };

// Lists and quotes within each other beyond this depth stay text.
const deepest = 12;

const marks = { "**": "strong", __: "strong", "*": "em", _: "em", "~~": "del" } as const;
type Mark = keyof typeof marks;

const entities: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
};

const token =
  /\\[!-/:-@[-`{-~]|`+|\*\*|\*|__|_|~~|!?\[([^[\]\n]*)\]\((https?:[^()\s]+)(?:\s+"[^"\n]*")?\)|&(?:lt|gt|amp|quot|#39);/g;

const isSpace = (char: string | undefined) => char === undefined || /\s/.test(char);
const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** Collects the parts of a text. A mark that is never closed stays text. */
class Parts {
  private readonly parts: Inline[] = [];
  /** Marks that wait for their end, and the number of parts before each. */
  private readonly open: { mark: Mark; at: number }[] = [];
  private readonly waiting = new Map<Mark, number>();
  add(part: Inline): void {
    this.parts.push(part);
  }
  text(text: string): void {
    if (text !== "") this.parts.push({ kind: "text", text });
  }
  isOpen(mark: Mark): boolean {
    return (this.waiting.get(mark) ?? 0) > 0;
  }
  innermost(): Mark | undefined {
    return this.open[this.open.length - 1]?.mark;
  }
  begin(mark: Mark): void {
    this.open.push({ mark, at: this.parts.length });
    this.waiting.set(mark, (this.waiting.get(mark) ?? 0) + 1);
    this.parts.push({ kind: "text", text: mark });
  }
  end(mark: Mark): void {
    for (;;) {
      const last = this.open.pop()!;
      this.waiting.set(last.mark, this.waiting.get(last.mark)! - 1);
      if (last.mark !== mark) continue;
      const inner = this.parts.splice(last.at).slice(1);
      this.parts.push({ kind: marks[mark], parts: joined(inner) });
      return;
    }
  }
  all(): Inline[] {
    return joined(this.parts);
  }
}

/** The parts with neighbouring texts as one. */
function joined(parts: readonly Inline[]): Inline[] {
  const all: Inline[] = [];
  for (const part of parts) {
    const last = all[all.length - 1];
    if (part.kind === "text" && last?.kind === "text") last.text += part.text;
    else all.push(part);
  }
  return all;
}

/** The emphasis, code and links of a text. */
export function readInline(text: string): Inline[] {
  const parts = new Parts();
  const unclosed = new Set<number>();
  const next = new RegExp(token);
  let done = 0;
  for (let found = next.exec(text); found; next.lastIndex = done, found = next.exec(text)) {
    const at = found.index;
    parts.text(text.slice(done, at));
    const [word, label, address] = found;
    done = at + word.length;
    if (address !== undefined) {
      const shown = label === "" ? address : label!;
      parts.add({ kind: "link", address, parts: readInline(shown) });
    } else if (word.startsWith("\\")) parts.text(word[1]!);
    else if (word.startsWith("&")) parts.text(entities[word]!);
    else if (word.startsWith("`")) {
      const end = unclosed.has(word.length) ? -1 : endOfCode(text, done, word.length);
      if (end < 0) {
        unclosed.add(word.length);
        parts.text(word);
      } else {
        parts.add({ kind: "code", text: text.slice(done, end).trim() });
        done = end + word.length;
      }
    } else done = readMark(parts, text, at, word as Mark);
  }
  parts.text(text.slice(done));
  return parts.all();
}

/** Where as many backticks stand as began the code; -1: nowhere. */
function endOfCode(text: string, from: number, length: number): number {
  for (const found of text.slice(from).matchAll(/`+/g))
    if (found[0].length === length) return from + found.index;
  return -1;
}

/** Begins or ends emphasis. Returns where the text goes on. */
function readMark(parts: Parts, text: string, at: number, word: Mark): number {
  // In "***both***" the mark that was opened last ends first.
  const single = word[0] as Mark;
  const inner = word === "**" && text[at + 2] === "*" && parts.innermost() === "*";
  const mark = inner ? single : word;
  const end = at + mark.length;
  const [before, after] = [text[at - 1], text[end]];
  const inWord = mark[0] === "_" && isWord(before) && isWord(after);
  if (!inWord && !isSpace(before) && parts.isOpen(mark)) parts.end(mark);
  else if (!inWord && !isSpace(after)) parts.begin(mark);
  else parts.text(mark);
  return end;
}

const cellsAtMost = 200;

/** The cells of a line `| a | b |`, null if it has another form. */
function cellsOf(line: string): string[] | null {
  if (!/^\s*\|.*\|\s*$/.test(line)) return null;
  const inner = line.trim().slice(1);
  const cells = Array.from(inner.matchAll(/((?:\\.|[^\\|])*)\|/g), (cell) => cell[1]!.trim());
  return cells.length > 0 && cells.length <= cellsAtMost ? cells : null;
}

const isRule = (cells: readonly string[] | null) =>
  cells?.every((cell) => /^:?-+:?$/.test(cell)) ?? false;

const item = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const heading = /^ {0,3}(#{1,6})(?: +(.*?))?(?: +#+)? *$/;
const rule = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const fence = /^ {0,3}(`{3,}|~{3,})[^`]*$/;

/** Whether a line ends a paragraph above it. */
const begins = (line: string) =>
  heading.test(line) ||
  rule.test(line) ||
  fence.test(line) ||
  item.test(line) ||
  /^ {0,3}>/.test(line);

/** The blocks of a text, in order. */
export function readMarkdown(text: string): Block[] {
  return readBlocks(text.replaceAll("\r\n", "\n").split("\n"), 0);
}

function readBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.trim() === "") at++;
    else {
      const [block, next] = readBlock(lines, at, depth);
      blocks.push(block);
      at = next;
    }
  }
  return blocks;
}

/** The lines from `at` while they are of the block, and where the next one begins. */
function linesWhile(
  lines: readonly string[],
  at: number,
  holds: (line: string, i: number) => boolean,
): [string[], number] {
  let end = at;
  while (end < lines.length && holds(lines[end]!, end)) end++;
  return [lines.slice(at, end), end];
}

function readBlock(lines: readonly string[], at: number, depth: number): [Block, number] {
  const line = lines[at]!;
  const head = heading.exec(line);
  if (head)
    return [{ kind: "heading", level: head[1]!.length, parts: readInline(head[2] ?? "") }, at + 1];
  if (rule.test(line)) return [{ kind: "rule" }, at + 1];
  const fenced = fence.exec(line)?.[1];
  if (fenced) {
    const close = new RegExp(`^ {0,3}${fenced[0] === "~" ? "~" : "`"}{${fenced.length},} *$`);
    const [inner, end] = linesWhile(lines, at + 1, (one) => !close.test(one));
    return [{ kind: "code", text: inner.join("\n") }, end + 1];
  }
  if (/^ {4}/.test(line)) {
    const [inner, end] = linesWhile(lines, at, (one) => /^ {4}/.test(one) || one.trim() === "");
    const code = inner.map((one) => one.slice(4)).join("\n");
    return [{ kind: "code", text: code.replace(/\n+$/, "") }, end];
  }
  const head2 = cellsOf(line);
  if (head2 && isRule(cellsOf(lines[at + 1] ?? ""))) return readTable(lines, at, head2);
  if (depth < deepest && /^ {0,3}>/.test(line)) {
    const [inner, end] = linesWhile(lines, at, (one) => /^ {0,3}>/.test(one));
    const unquoted = inner.map((one) => one.replace(/^ {0,3}> ?/, ""));
    return [{ kind: "quote", blocks: readBlocks(unquoted, depth + 1) }, end];
  }
  if (depth < deepest && item.test(line)) return readList(lines, at, depth);
  const [inner, end] = linesWhile(
    lines,
    at,
    (one, i) => i === at || (one.trim() !== "" && !begins(one) && !isTable(lines, i)),
  );
  return [{ kind: "paragraph", parts: readInline(inner.join("\n")) }, end];
}

const isTable = (lines: readonly string[], at: number) =>
  cellsOf(lines[at]!) !== null && isRule(cellsOf(lines[at + 1] ?? ""));

/** Rows are as long as the head. */
function readTable(lines: readonly string[], at: number, head: readonly string[]): [Block, number] {
  const [body, end] = linesWhile(lines, at + 2, (line) => cellsOf(line) !== null);
  const rows = [head, ...body.map((line) => cellsOf(line)!)];
  const table = rows.map((row) => head.map((_, i) => readInline(row[i] ?? "")));
  return [{ kind: "table", rows: table }, end];
}

/** The items of the same sort, each with the lines that are indented as far as its text. */
function readList(lines: readonly string[], from: number, depth: number): [Block, number] {
  const [, , sign] = item.exec(lines[from]!)!;
  const first = /\d/.test(sign!) ? parseInt(sign!, 10) : null;
  const items: Block[][] = [];
  let at = from;
  for (;;) {
    const found = item.exec(lines[at] ?? "");
    if (!found || found[2]!.slice(-1) !== sign!.slice(-1) || rule.test(lines[at]!)) break;
    const indent = found[1]!.length + found[2]!.length + Math.min(4, Math.max(1, found[3]!.length));
    const inside = new RegExp(`^ {${indent}}`);
    const [rest, end] = linesWhile(
      lines,
      at + 1,
      (line, i) =>
        inside.test(line) ||
        (line.trim() === "" ? inside.test(lines[i + 1] ?? "") : goesOn(lines, at, i)),
    );
    const own = [lines[at]!.slice(indent), ...rest.map((line) => line.replace(inside, ""))];
    items.push(readBlocks(own, depth + 1));
    at = end;
    // A blank line may stand between two items.
    if (lines[at]?.trim() === "" && item.test(lines[at + 1] ?? "")) at++;
  }
  return [{ kind: "list", first, items }, at];
}

/** Whether a line that is not indented goes on with the text of the item that began at `from`. */
const goesOn = (lines: readonly string[], from: number, at: number) =>
  lines[at - 1]!.trim() !== "" && at > from && !begins(lines[at]!);
