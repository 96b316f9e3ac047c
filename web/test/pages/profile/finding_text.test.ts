import { expect, test } from "vitest";
import { findingInChinese } from "../../../src/pages/profile/finding_text";

test("numbers and names stay where they belong", () => {
  expect(findingInChinese("a step waits 1.50 ms of its 8.00 ms (median of 9 steps)")).toBe(
    "每步 8.00 ms 中等待 1.50 ms（9 步的中位数）",
  );
});

test("a part without a translation stays English, the others do not", () => {
  expect(findingInChinese("something new; fuse small operators")).toBe("something new；融合小算子");
});

test("takes the rule that says most where several fit", () => {
  expect(findingInChinese("it is idle for 3.70 ms of a step's 9.90 ms (median of 4 steps)")).toBe(
    "每步 9.90 ms 中空闲 3.70 ms（4 步的中位数）",
  );
  expect(
    findingInChinese(
      "by kind: AllReduce 5.50 ms in 10 calls (the longest, AllReduce_1: 0.60 ms), Send 1.00 ms in 1 call",
    ),
  ).toBe("按种类：AllReduce 5.50 ms（10 次，最长 AllReduce_1：0.60 ms）, Send 1.00 ms（1 次）");
});
