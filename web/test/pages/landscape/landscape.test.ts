import { describe, expect, it } from "vitest";
import { comparable } from "../../../src/pages/landscape/landscape";

describe("landscapes in one picture", () => {
  const named = (name: string, decomposition: string, ny = 5) => ({
    run: name,
    name: {
      tag: "l",
      rank: 0,
      step: 0,
      time: 0,
      at: "",
      nx: 5,
      ny,
      path: 0,
      unit: "",
      decomposition,
    },
  });
  it("are of one kind of directions, and two at least; a line is none", () => {
    const groups = comparable([
      named("a", "PCA"),
      named("b", "PCA"),
      named("c", "Random"),
      named("d", "Random", 1),
    ]);
    expect(groups.map(({ kind, members }) => [kind, members.map(({ run: id }) => id)])).toEqual([
      ["PCA", ["a", "b"]],
    ]);
  });
});
