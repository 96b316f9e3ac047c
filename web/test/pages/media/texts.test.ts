import { expect, test } from "vitest";
import { tablesOf } from "../../../src/pages/media/texts";

const texts = (count: number) => Array.from({ length: count }, (_, i) => String(i));

test("an array of texts keeps its rows and columns", () => {
  expect(tablesOf([3, 2], texts(6))).toEqual([
    {
      index: "",
      rows: [
        ["0", "1"],
        ["2", "3"],
        ["4", "5"],
      ],
    },
  ]);
  expect(tablesOf([1, 1], ["a"])).toEqual([{ index: "", rows: [["a"]] }]);
  expect(tablesOf([2], texts(2))).toEqual([{ index: "", rows: [["0"], ["1"]] }]);
});

test("more dimensions are a table for each of the first ones", () => {
  const tables = tablesOf([3, 2, 1, 2], texts(12));
  expect(tables.map(({ index }) => index)).toEqual([
    "[0, 0, :, :]",
    "[0, 1, :, :]",
    "[1, 0, :, :]",
    "[1, 1, :, :]",
    "[2, 0, :, :]",
    "[2, 1, :, :]",
  ]);
  expect(tables[3]!.rows).toEqual([["6", "7"]]);
});

test("a single text is no table, nor are no texts", () => {
  for (const shape of [[], [1]]) expect(tablesOf(shape, ["a"])).toEqual([]);
  for (const shape of [[0], [0, 3], [3, 0], [2, 0, 4]]) expect(tablesOf(shape, [])).toEqual([]);
});

test("texts that do not fill the shape are a column: nothing is lost", () =>
  expect(tablesOf([4, 2], texts(3))).toEqual([{ index: "", rows: [["0"], ["1"], ["2"]] }]));
