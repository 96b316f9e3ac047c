import { expect, test } from "vitest";
import { firstSelection } from "../../src/core/model";

test("at first the live runs and the newest are selected, 20 at most", () => {
  const runs = Array.from({ length: 40 }, (_, i) => ({ id: `r${i}`, live: i === 3, last_time: i }));
  const chosen = firstSelection(runs as never);
  expect(chosen).toHaveLength(20);
  expect(chosen[0]).toBe("r3");
  expect(chosen[1]).toBe("r39");
});
