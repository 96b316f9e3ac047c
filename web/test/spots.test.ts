// Values that share a step, and commands for a shell.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { readView } from "../src/core/address";
import { catCommand, shellWord, tagPattern } from "../src/core/shell";
import { placeOf, spotOf } from "../src/widgets/stepper";

test.each([
  ["all of one step", [0, 0, 0, 0, 0]],
  ["some of one step", [0, 1, 1, 1, 2, 3, 3]],
  ["steps that a number cannot tell apart", [2 ** 53, 2 ** 53 + 1, 2 ** 53 + 2]],
  ["a part twice: resumed without a purge", [0, 1, 2, 3, 2, 3, 4]],
  ["negative steps", [-2, -2, -1]],
])("every value can be chosen: %s", (_, steps) => {
  const spots = steps.map((_step, i) => spotOf(steps, i));
  expect(new Set(spots).size).toBe(steps.length);
  expect(spots.map((spot) => placeOf(steps, spot))).toEqual(steps.map((_step, i) => i));
  for (const spot of spots)
    expect(readView(`#/tensors?step=${spot}`, []).own.tensors.step).toBe(spot);
});

test("a value that another series lacks: the nearest step, the last of it", () => {
  expect(placeOf([0, 0, 5, 5, 9], "5:3")).toBe(3);
  expect(placeOf([0, 0, 5, 5, 9], "6:1")).toBe(3);
  expect(placeOf([7], "5:3")).toBe(0);
  expect(spotOf([1, 2], 5)).toBe("");
});

test("addresses of older pages name a step, and what is none is refused", () => {
  expect(readView("#/media?k=12", []).own.media.step).toBe("12");
  expect(readView("#/media?step=12", []).own.media.step).toBe("12");
  for (const wrong of ["x", "5:", "5:x", ":1", "5:-1"])
    expect(readView(`#/media?step=${wrong}`, []).own.media.step).toBe("");
});

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
