import { expect, test } from "vitest";
import { spansOf } from "../../src/core/console_text";

const textOf = (line: string) =>
  spansOf(line)
    .map((span) => span.text)
    .join("");

test("colours and bold text are styles", () => {
  expect(spansOf("a \x1b[1;31mred\x1b[0m b")).toEqual([
    { text: "a ", style: "" },
    { text: "red", style: "bold c1" },
    { text: " b", style: "" },
  ]);
  expect(spansOf("\x1b[92mx")).toEqual([{ text: "x", style: "c2" }]);
});

test("colours of a palette are passed over with their numbers", () => {
  expect(spansOf("\x1b[38;5;31;1mx")).toEqual([{ text: "x", style: "bold" }]);
  expect(spansOf("\x1b[38;2;31;31;31mx")).toEqual([{ text: "x", style: "" }]);
});

test("whatever else a terminal obeys is left out", () => {
  expect(textOf("a\x1b[2J\x1b]0;title\x07b\x1b]8;;http://x\x1b\\c\x1b(Bd\x08\x7f")).toBe("abcd");
  expect(textOf("cut \x1b]52;c;x")).toBe("cut ");
  expect(textOf("cut \x1b[31")).toBe("cut 31");
  expect(textOf("turned \u202earound")).toBe("turned around");
});

test("of what a progress bar drew the last piece stays", () => {
  expect(textOf(" 10%\r 50%\r100%")).toBe("100%");
  expect(textOf("line\r")).toBe("line");
  expect(textOf("\r")).toBe("");
});

test("markup stays text", () => {
  expect(spansOf("<b onload=x>")).toEqual([{ text: "<b onload=x>", style: "" }]);
});
