import { expect, test } from "vitest";
import { firstSelection, isChanged } from "../../src/core/model";

test("at first the live runs and the newest are selected, 20 at most", () => {
  const runs = Array.from({ length: 40 }, (_, i) => ({ id: `r${i}`, live: i === 3, last_time: i }));
  const chosen = firstSelection(runs as never);
  expect(chosen).toHaveLength(20);
  expect(chosen[0]).toBe("r3");
  expect(chosen[1]).toBe("r39");
});

test("what changed in a joined run changed in its directories", () => {
  const is = (id: string, ...changed: string[]) => isChanged(id, new Set(changed));
  expect(is("out/rank_3/loss/a", "out")).toBe(true);
  expect(is("out", "out")).toBe(true);
  expect(is("rank_3", ".")).toBe(true);
  expect(is("1:rank_3", "1:.")).toBe(true);
  expect(is("1:rank_3", "0:.")).toBe(false);
  expect(is("out2/rank_3", "out")).toBe(false);
});
