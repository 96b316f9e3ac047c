import { describe, expect, test } from "vitest";
import { linearTicks, logTicks, stepLabels, tickLabels, timeTicks } from "../../src/chart/scale";

describe("ticks", () => {
  test("are round numbers", () => {
    expect(linearTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(logTicks(0.001, 1000, 10)).toEqual([0.001, 0.01, 0.1, 1, 10, 100, 1000]);
    expect(timeTicks(0, 7200, 4)).toEqual([0, 1800, 3600, 5400, 7200]);
  });
  test("have labels that differ, however near they are", () => {
    const ticks = linearTicks(2.29251, 2.29257, 5);
    expect(new Set(tickLabels(ticks)).size).toBe(ticks.length);
    expect(stepLabels([0, 20000, 40000])).toEqual(["0", "20 k", "40 k"]);
  });
  test("of an empty or broken range do not hang", () => {
    expect(linearTicks(1, 1, 5)).toEqual([1]);
    expect(linearTicks(NaN, 1, 5)).toEqual([]);
    expect(linearTicks(-1e308, 1e308, 5)).toHaveLength(1);
  });
});
