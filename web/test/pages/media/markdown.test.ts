import { describe, expect, test } from "vitest";
import {
  type Block,
  type Inline,
  readInline,
  readMarkdown,
} from "../../../src/pages/media/markdown";

/** An inline tree as a short text: strong(…), em(…), code(…), link(address …). */
function brief(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind === "code") return `code(${part.text})`;
      if (part.kind === "link") return `link(${part.address} ${brief(part.parts)})`;
      return `${part.kind}(${brief(part.parts)})`;
    })
    .join("");
}

function outlineOf(block: Block): unknown {
  if (block.kind === "heading") return `h${block.level} ${brief(block.parts)}`;
  if (block.kind === "paragraph") return `p ${brief(block.parts)}`;
  if (block.kind === "code") return `pre ${block.text}`;
  if (block.kind === "quote") return { quote: outline(block.blocks) };
  if (block.kind === "list") return { list: block.first, items: block.items.map(outline) };
  if (block.kind === "table") return { table: block.rows.map((row) => row.map(brief)) };
  return block.kind;
}

const outline = (blocks: readonly Block[]): unknown[] => blocks.map(outlineOf);

describe("emphasis, code and links", () => {
  test.each([
    ["**a** and *b* and ~~c~~", "strong(a) and em(b) and del(c)"],
    ["__a__ and _b_", "strong(a) and em(b)"],
    ["***both***", "strong(em(both))"],
    ["**a *b* c**", "strong(a em(b) c)"],
    ["`a*b*` and ``c`d``", "code(a*b*) and code(c`d)"],
    [
      "[here](https://a.example/b) [](http://c.example)",
      "link(https://a.example/b here) link(http://c.example http://c.example)",
    ],
    ["&lt;b&gt; \\*a\\* &amp;", "<b> *a* &"],
  ])("%s", (text, wanted) => expect(brief(readInline(text))).toBe(wanted));

  test.each([
    "a * b * c",
    "2*3",
    "my_long_name and __init",
    "f(*args, **kwargs)",
    "**open",
    "`open",
    "<script>alert(1)</script>",
    "[a](javascript:alert(1))",
    "[a](/etc/passwd)",
    "a | b",
  ])("stays as it is: %s", (text) => expect(brief(readInline(text))).toBe(text));

  test("an image is a link: nothing is fetched from another host", () =>
    expect(brief(readInline("![x](https://a.example/x.png)"))).toBe(
      "link(https://a.example/x.png x)",
    ));
});

describe("blocks", () => {
  test("headings, paragraphs, rules, quotes", () =>
    expect(outline(readMarkdown("# One #\ntext\nmore\n\n---\n> a\n> > b\n"))).toEqual([
      "h1 One",
      "p text\nmore",
      "rule",
      { quote: ["p a", { quote: ["p b"] }] },
    ]));
  test("code, fenced or indented, as it is", () =>
    expect(
      outline(readMarkdown("```py\na *b*\n\nc\n```\nd\n\n    e\n      f\n\n~~~\nopen")),
    ).toEqual(["pre a *b*\n\nc", "p d", "pre e\n  f", "pre open"]));
  test("lists within lists", () =>
    expect(outline(readMarkdown("- a\n  - b\n  - c\n- d\n  more\n\n3. x\n4. y"))).toEqual([
      {
        list: null,
        items: [["p a", { list: null, items: [["p b"], ["p c"]] }], ["p d\nmore"]],
      },
      { list: 3, items: [["p x"], ["p y"]] },
    ]));
  test("a table; rows are as long as its head", () =>
    expect(
      outline(
        readMarkdown(
          "a\n| name | **value** |\n| --- | :-: |\n| lr | 0.1 | no |\n| my\\_note | &lt;a\\|b\\\\ |\n| one |\nb",
        ),
      ),
    ).toEqual([
      "p a",
      {
        table: [
          ["name", "strong(value)"],
          ["lr", "0.1"],
          ["my_note", "<a|b\\"],
          ["one", ""],
        ],
      },
      "p b",
    ]));
  test.each(["", "\n\n"])("nothing: %j", (text) => expect(readMarkdown(text)).toEqual([]));
  test.each(["lr = 0.1\n  decay: 0.5", "| a | b |", "| a | b |\n| c | d |", "#hash", "1.5\n2.5"])(
    "a plain text keeps its lines: %j",
    (text) => expect(outline(readMarkdown(text))).toEqual([`p ${text}`]),
  );
});

describe("input that would take long", () => {
  const many = 100_000;
  test.each([
    ["quotes in quotes", ">".repeat(many)],
    ["lists in lists", Array.from({ length: 300 }, (_, i) => `${" ".repeat(2 * i)}- a`).join("\n")],
    ["items", "- ".repeat(many)],
    ["open emphasis", "**a _b ".repeat(many)],
    ["crossed emphasis", "*a _b* c_ ".repeat(many)],
    ["backticks", Array.from({ length: 300 }, (_, i) => "`".repeat(i + 1)).join(" ")],
    ["brackets", `${"[".repeat(many)}${"](".repeat(many)}`],
    ["pipes", "|".repeat(many)],
    ["rules", `${"- ".repeat(many)}x`],
    ["hashes", `${"# ".repeat(many)}#x`],
    ["escapes", "\\".repeat(many)],
  ])("%s", (_, text) => {
    expect(readMarkdown(text).length).toBeGreaterThan(0);
  });
});
