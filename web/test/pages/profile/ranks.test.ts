import { describe, expect, it } from "vitest";
import type { RankUse } from "../../../src/core/api_profile";
import { partsOfRank } from "../../../src/pages/profile/ranks";

describe("ranks", () => {
  it("own work is what neither waits for data nor communicates", () => {
    expect(partsOfRank({ step: 10, data_wait: 2, communication: 3 } as RankUse)).toEqual({
      own: 5,
      data_wait: 2,
      communication: 3,
    });
  });
});
