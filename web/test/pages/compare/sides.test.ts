import { expect, test } from "vitest";
import { sidesOf } from "../../../src/pages/compare/sides";

const runs = { old: 1, mid: 2, new: 3 } as Record<string, number>;
const runOf = (id: string) => (id in runs ? { id, first_time: runs[id]! } : undefined);

test("of two selected runs the one that began first is the reference", () => {
  expect(sidesOf({ a: "", b: "" }, ["new", "old"], runOf)).toEqual({
    a: "old",
    b: "new",
    others: [],
  });
  expect(sidesOf({ a: "", b: "" }, ["new", "mid", "old"], runOf)).toEqual({
    a: "mid",
    b: "new",
    others: ["old"],
  });
});

test("runs that are named are compared, whatever is selected", () => {
  expect(sidesOf({ a: "new", b: "old" }, ["mid"], runOf)).toEqual({
    a: "new",
    b: "old",
    others: ["mid"],
  });
  expect(sidesOf({ a: "", b: "old" }, ["old", "new"], runOf)).toEqual({
    a: "new",
    b: "old",
    others: [],
  });
});

test("one run is not enough", () => {
  expect(sidesOf({ a: "", b: "" }, ["old"], runOf)).toBeNull();
  expect(sidesOf({ a: "old", b: "" }, ["old"], runOf)).toBeNull();
});
