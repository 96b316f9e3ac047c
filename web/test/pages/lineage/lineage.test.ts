import { describe, expect, it } from "vitest";
import { lessIsBetter } from "../../../src/pages/lineage/best";
import { objectiveOf } from "../../../src/pages/lineage/lineage";

describe("the objective of the lineage", () => {
  it("is the least value of what most runs aim at", () => {
    expect(
      objectiveOf(
        [{ objective: "loss" }, { objective: "loss" }, { objective: "other" }, {}],
        ["lr", "min(loss)", "min(other)"],
      ),
    ).toBe("min(loss)");
    expect(objectiveOf([{}], ["lr"])).toBe("");
  });
  it("is better when less for losses, when more for the others", () => {
    expect([lessIsBetter("min(train/loss)"), lessIsBetter("last(accuracy)")]).toEqual([
      true,
      false,
    ]);
  });
});
