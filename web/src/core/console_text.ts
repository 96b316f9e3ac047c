// A line of a console: its text, and its colours (SGR of ECMA-48). Whatever else a terminal obeys
// is left out, and text stays text: nothing in it becomes a link or an element.

export interface Span {
  text: string;
  /** "", or names of classes: "bold", "c1" to "c7" for red to white. */
  style: string;
}

// CSI, and OSC, DCS, SOS, PM, APC to their end; other escapes have one more character.
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** What a progress bar drew last: of pieces between carriage returns, the last one with text. */
function afterReturns(line: string): string {
  const pieces = line.split("\r");
  for (let i = pieces.length - 1; i > 0; i--)
    if (pieces[i]!.replace(sequence, "").trim() !== "") return pieces[i]!;
  return pieces[0]!;
}

function styled(codes: string, { bold, color }: { bold: boolean; color: number }) {
  const numbers = codes.split(/[;:]/).map((code) => Number(code || 0));
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i]!;
    if (code === 0) [bold, color] = [false, 0];
    else if (code === 1) bold = true;
    else if (code === 22) bold = false;
    else if (code === 39) color = 0;
    else if (code >= 30 && code <= 37) color = code - 30;
    else if (code >= 90 && code <= 97) color = code - 90;
    // Colours of a palette or by parts: their numbers follow.
    else if (code === 38 || code === 48) i += numbers[i + 1] === 5 ? 2 : 4;
  }
  return { bold, color };
}

export function spansOf(line: string): Span[] {
  const text = afterReturns(line);
  const spans: Span[] = [];
  let style = { bold: false, color: 0 };
  let at = 0;
  const add = (end: number) => {
    const piece = text.slice(at, end).replace(controls, "");
    const names = [style.bold ? "bold" : "", style.color > 0 ? `c${style.color}` : ""];
    if (piece !== "") spans.push({ text: piece, style: names.filter(Boolean).join(" ") });
  };
  for (const found of text.matchAll(sequence)) {
    add(found.index);
    if (found[2] === "m" && /^[0-9;:]*$/.test(found[1]!)) style = styled(found[1]!, style);
    at = found.index + found[0].length;
  }
  add(text.length);
  return spans;
}
