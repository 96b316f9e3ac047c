import { describe, expect, test } from "vitest";
import { foldSamples } from "../../src/chart/samples";

describe("values by samples are an axis of the values by step", () => {
  const folded = (...names: string[]) => {
    const { tags, bySamples } = foldSamples(names.map((tag) => ({ tag })));
    return [tags.map(({ tag }) => tag), [...bySamples].map(([tag, by]) => [tag, by.tag])];
  };
  test("the tag with the suffix has no chart of its own", () => {
    expect(folded("loss", "loss vs samples", "lr")).toEqual([
      ["loss", "lr"],
      [["loss", "loss vs samples"]],
    ]);
  });
  test("also as tensorboardX spells it", () => {
    expect(folded("grad-norm", "grad-norm_vs_samples")).toEqual([
      ["grad-norm"],
      [["grad-norm", "grad-norm_vs_samples"]],
    ]);
  });
  test("without the tag itself it stays a chart", () => {
    expect(folded("loss vs samples", "lr")).toEqual([["loss vs samples", "lr"], []]);
  });
  test("a tag that contains the words elsewhere stays a chart", () => {
    expect(folded("loss", "loss vs samples/mean")).toEqual([["loss", "loss vs samples/mean"], []]);
  });
});
