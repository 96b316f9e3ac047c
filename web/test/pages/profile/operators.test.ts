import { expect, it } from "vitest";
import type { OperatorRow } from "../../../src/core/api_profile";
import { sortRows } from "../../../src/pages/profile/operators";

const row = (type: string, count: number, total: number, self = total): OperatorRow => ({
  name: "",
  type,
  shapes: "",
  count,
  total,
  self,
  share: 0,
  flops: 0,
  on_device: false,
  device: 0,
  device_self: 0,
});

it("operators are sorted by any column", () => {
  const rows = [row("a", 1, 9), row("b", 5, 10)];
  expect(sortRows(rows, "average", true).map((one) => one.type)).toEqual(["a", "b"]);
  expect(sortRows(rows, "name", true).map((one) => one.type)).toEqual(["b", "a"]);
});
