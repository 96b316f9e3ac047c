import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { catCommand, shellWord, tagPattern } from "../../src/core/shell";

const ascii = Array.from({ length: 128 }, (_, i) => String.fromCharCode(i));

/** The words that a shell makes of a line. */
function wordsOf(shell: string, line: string): string[] {
  const text = execFileSync(shell, ["-c", `for word in ${line}; do printf '%s\\0' "$word"; done`]);
  return text.toString().split("\0").slice(0, -1);
}

test("a printed pattern reaches the program as it is, whatever the tag has, and matches it alone", () => {
  const tags = [
    ...ascii,
    ...ascii.map((character) => `a${character}b`),
    ascii.join(""),
    "'$(touch x)'",
    "\\.",
    "\\x41",
    "训练",
  ];
  for (const shell of ["sh", "bash"])
    expect(wordsOf(shell, tags.map((tag) => shellWord(tagPattern(tag))).join(" "))).toEqual(
      tags.map(tagPattern),
    );
  for (const tag of tags) {
    const pattern = new RegExp(tagPattern(tag));
    expect(pattern.test(tag)).toBe(true);
    for (const other of [`${tag}x`, `x${tag}`, tag === "a" ? "b" : "a", "A"])
      expect(other !== tag && pattern.test(other)).toBe(false);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
    expect(shellWord(tagPattern(tag))).toMatch(/^'[^'\x00-\x1f\x7f]*'$/);
  }
});

test("a directory is one word, too; no control character is printed", () => {
  const directories = ascii.slice(1).map((character) => `/runs/${character}b`);
  expect(wordsOf("bash", directories.map(shellWord).join(" "))).toEqual(directories);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
  expect(directories.map(shellWord).join("")).not.toMatch(/[\x00-\x1f\x7f]/);
  expect(catCommand("loss", "/runs/a b")).toBe("sightline cat --tag '^loss$' '/runs/a b'");
});
