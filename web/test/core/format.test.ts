import { describe, expect, test } from "vitest";
import {
  csv,
  csvField,
  formatCount,
  formatDuration,
  formatValue,
  keepEnd,
  naturally,
  shortValue,
} from "../../src/core/format";

test("of a long hash the beginning stays, of other long values the end", () => {
  const hash = "0123456789abcdef0123456789abcdef01234567";
  expect(shortValue(hash, 8)).toBe("0123456…");
  expect(shortValue(hash, 40)).toBe(hash);
  expect(shortValue("/data/models/resnet.ckpt", 12)).toBe("…resnet.ckpt");
  expect(shortValue("deadbeef", 4)).toBe("…eef");
});

test("names are in natural order", () => {
  const sorted = ["rank_10", "rank_2", "0.1", "0.03", "0.003", "−1", "1e-5", "b"].sort(naturally);
  expect(sorted.slice(0, 5)).toEqual(["−1", "1e-5", "0.003", "0.03", "0.1"]);
  expect(sorted.indexOf("rank_2")).toBeLessThan(sorted.indexOf("rank_10"));
});

describe("numbers as texts", () => {
  test.each([
    [0, "0"],
    [0.0123, "0.0123"],
    [1.5e-7, "1.5e-7"],
    [90000, "90000"],
    [-2.5, "−2.5"],
    [NaN, "NaN"],
    [Infinity, "∞"],
    [1234567, "1.235e6"],
  ])("%d is %s", (value, text) => expect(formatValue(value)).toBe(text));
  test("counts, durations, long tags", () => {
    expect(formatCount(41200)).toBe("41,200");
    expect(formatDuration(3 * 3600 + 12 * 60)).toBe("3 h 12 min");
    expect(formatDuration(7199)).toBe("2 h");
    expect(keepEnd("network/layer/weight", 7)).toBe("…weight");
  });
  test("a CSV holds no formula and quotes what needs it", () => {
    expect(csvField("=HYPERLINK(1)")).toBe("'=HYPERLINK(1)");
    expect(csvField("@x")).toBe("'@x");
    expect(csv([["a,b", -1.5, 'say "x"']])).toBe('"a,b",-1.5,"say ""x"""\n');
  });
});
