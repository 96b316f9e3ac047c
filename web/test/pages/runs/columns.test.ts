import { expect, test } from "vitest";
import type { Run } from "../../../src/core/api";
import { offeredColumns } from "../../../src/pages/runs/columns";

const run = (id: string, last: number, state = "ended", objective = "loss") =>
  ({ id, state, objective, values: { loss: { value: last, min: 0.1 } } }) as unknown as Run;

test("every scalar of the selected runs can be a column", () => {
  const one = { ...run("a", 1), lineage: { lr: 1 } } as unknown as Run;
  const columns = offeredColumns([one], ["iteration-time"], ["objective"]);
  for (const column of [
    "last:loss",
    "max:iteration-time",
    "last:iteration-time",
    "lineage:lr",
    "objective",
  ])
    expect(columns).toContain(column);
});
