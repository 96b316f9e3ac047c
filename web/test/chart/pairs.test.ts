import { describe, expect, test } from "vitest";
import { pairsOf, roleOf } from "../../src/chart/pairs";

describe("validation stands with training", () => {
  const pairs = (...tags: string[]) =>
    pairsOf(tags.map((tag) => ({ tag }))).map(({ tag, others }) => [
      tag.tag,
      ...others.map((other) => other.tag),
    ]);
  test.each([
    [["train/loss", "val/loss"], [["train/loss", "val/loss"]]],
    [
      ["loss", "val_loss", "lr"],
      [["loss", "val_loss"], ["lr"]],
    ],
    [
      ["Accuracy/train", "Accuracy/test", "Accuracy/validation"],
      [["Accuracy/train", "Accuracy/test", "Accuracy/validation"]],
    ],
    [
      ["loss", "train/loss", "eval/loss"],
      [["loss"], ["train/loss", "eval/loss"]],
    ],
  ])("%j", (tags, wanted) => expect(pairs(...tags)).toEqual(wanted));
  test("alone, or with a word that is all of the tag, each stays by itself", () => {
    expect(pairs("val/loss", "lr", "test", "validation")).toEqual([
      ["val/loss"],
      ["lr"],
      ["test"],
      ["validation"],
    ]);
    expect(roleOf("train_test_gap").role).toBe("");
    expect(roleOf("interval/loss").role).toBe("");
  });
});
