import { expect, it } from "vitest";
import type { OperatorRow, Operators } from "../../../src/core/api_profile";
import { mostOf } from "../../../src/pages/profile/overview";

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

it("where operators run within others, what takes most is without the inner ones", () => {
  const table: Operators = {
    source: "trace",
    inferred: false,
    nested: true,
    has_launches: false,
    total: 0,
    count: 0,
    all: 2,
    matched: 2,
    rows: [row("outer", 1, 100, 5), row("inner", 1, 95)],
  };
  expect(mostOf(table)[0]!.row.type).toBe("inner");
  expect(mostOf({ ...table, nested: false })[0]!.row.type).toBe("outer");
});

it("times of the host and of a device are never added", () => {
  const table: Operators = {
    source: "trace",
    inferred: false,
    nested: false,
    has_launches: true,
    total: 0,
    count: 0,
    all: 3,
    matched: 3,
    rows: [
      row("aten::mm", 1, 1000),
      { ...row("gemm", 1, 30), on_device: true },
      { ...row("copy", 1, 10), on_device: true },
    ],
  };
  expect(mostOf(table).map(({ row, share }) => [row.type, share])).toEqual([
    ["gemm", 0.75],
    ["copy", 0.25],
  ]);
});
