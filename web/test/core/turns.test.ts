import { expect, test } from "vitest";
import { inTurn, nextTurn } from "../../src/core/turns";

test("work that answers true is the last of its turn", async () => {
  const order: string[] = [];
  const note = (name: string, last: boolean) =>
    inTurn(() => {
      order.push(name);
      queueMicrotask(() => order.push(`turn of ${name} ends`));
      return last;
    });
  note("a", true);
  note("b", false);
  await nextTurn();
  expect(order.slice(0, 3)).toEqual(["a", "turn of a ends", "b"]);
});
