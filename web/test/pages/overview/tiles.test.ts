import { describe, expect, it } from "vitest";
import type { Kind, TagOfRuns } from "../../../src/core/api";
import { telling } from "../../../src/pages/overview/tiles";

describe("pictures of the overview", () => {
  const tag = (name: string, kind: Kind): TagOfRuns => ({
    kind,
    tag: name,
    ranks: [0],
    runs: ["a"],
  });
  it("are of a second metric, and of weights", () => {
    const list = [
      tag("loss", "scalar"),
      tag("lr", "scalar"),
      tag("eval/accuracy", "scalar"),
      tag("conv.bias", "histogram"),
      tag("conv.weight", "histogram"),
    ];
    expect(telling(list, "scalar", new Set(["loss"]))?.tag).toBe("eval/accuracy");
    expect(telling(list, "histogram", new Set())?.tag).toBe("conv.weight");
    expect(telling([tag("loss", "scalar")], "scalar", new Set(["loss"]))).toBeUndefined();
  });
});
