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
});

it("where operators run within others, what takes most is without the inner ones", () => {
  const table: Operators = {
    source: "trace",
    inferred: false,
    nested: true,
    total: 0,
    count: 0,
    all: 2,
    matched: 2,
    rows: [row("outer", 1, 100, 5), row("inner", 1, 95)],
  };
  expect(mostOf(table)[0]!.row.type).toBe("inner");
  expect(mostOf({ ...table, nested: false })[0]!.row.type).toBe("outer");
});
