import { describe, expect, test } from "vitest";
import { readSeries, together } from "../../src/core/api_series";
import { toNumber } from "../../src/core/http";

describe("requests", () => {
  const ask = (n: number) => ({ requests: new Array<number>(n).fill(0) });
  test("charts go together up to a number of series; one with more of them goes alone", () => {
    expect(
      together([ask(2), ask(2), ask(1), ask(9), ask(1)], 4).map((group) =>
        group.map((asker) => asker.requests.length),
      ),
    ).toEqual([[2, 2], [1], [9], [1]]);
  });
});

function answer(header: object, numbers: number[]): ArrayBuffer {
  let text = JSON.stringify(header);
  text += " ".repeat((8 - (text.length % 8)) % 8);
  const bytes = new Uint8Array(8 + text.length + 8 * numbers.length);
  bytes.set(new TextEncoder().encode("SLS1"));
  new DataView(bytes.buffer).setUint32(4, text.length, true);
  bytes.set(new TextEncoder().encode(text), 8);
  new Float64Array(bytes.buffer, 8 + text.length).set(numbers);
  return bytes.buffer;
}

describe("series from the server", () => {
  const one = { run: "a", tag: "loss", rank: 0, total: 3, in_range: 3 };
  test("points, columns and errors are told apart", () => {
    const [points, columns, missing] = readSeries(
      answer(
        {
          series: [
            { ...one, form: "points", length: 2, steps: 0, offset: 2 },
            { ...one, form: "columns", length: 1, offset: 6 },
            { ...one, error: "no such series" },
          ],
        },
        [1, 2, 10, 20, 0.5, 0.25, 1, 3, 10, 30, -7, 9, 1, 2, 3, 1, 0, 0],
      ),
    );
    expect(points!.data).toMatchObject({
      form: "points",
      step: new Float64Array([1, 2]),
      value: new Float64Array([0.5, 0.25]),
    });
    expect(columns!.data).toMatchObject({
      form: "columns",
      min: new Float64Array([-7]),
      max: new Float64Array([9]),
      nan: new Float64Array([1]),
    });
    expect(missing!.error).toBe("no such series");
  });
  test("steps may be shared, times left out", () => {
    const two = readSeries(
      answer(
        {
          series: [
            { ...one, form: "points", length: 2, steps: 0, offset: 2 },
            { ...one, run: "b", form: "points", length: 2, steps: 0, offset: 4 },
            { ...one, run: "c", form: "columns", length: 1, offset: 6 },
          ],
        },
        [1, 2, 0.5, 0.25, 5, 6, 1, 3, -7, 9, 1, 2, 3, 1, 0, 0],
      ),
      false,
    );
    expect(two[1]!.data).toMatchObject({
      step: new Float64Array([1, 2]),
      time: new Float64Array([]),
      value: new Float64Array([5, 6]),
    });
    expect(two[2]!.data).toMatchObject({
      firstTime: new Float64Array([]),
      min: new Float64Array([-7]),
      count: new Float64Array([3]),
    });
  });
  test("what is not in the form is refused", () => {
    expect(() => readSeries(new ArrayBuffer(4))).toThrow();
    expect(() =>
      readSeries(new TextEncoder().encode("SLS1\u00ff\u00ff\u00ff\u0000").buffer as ArrayBuffer),
    ).toThrow();
  });
  test("numbers that JSON cannot hold come as texts", () => {
    expect(toNumber("-Infinity")).toBe(-Infinity);
    expect(toNumber("NaN")).toBeNaN();
    expect(toNumber(2)).toBe(2);
  });
});
