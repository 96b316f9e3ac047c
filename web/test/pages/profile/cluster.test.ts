import { describe, expect, it } from "vitest";
import type { ClusterData, ClusterRank } from "../../../src/core/api_profile";
import { partsOf, rangesOf } from "../../../src/pages/profile/cluster";
import { heatOfCluster } from "../../../src/pages/profile/cluster_heat";

const cluster = (cells: (number | null)[][], steps: number[]) =>
  ({
    steps,
    ranks: cells.map((_, rank) => ({ rank })),
    cells: { computing_us: cells },
  }) as unknown as ClusterData;

describe("cluster", () => {
  it("a rank's step on a device is computing, communication alone and idle", () => {
    expect(
      partsOf({ computing_us: 5, communication_us: 3, idle_us: 2, step_us: 10 } as ClusterRank),
    ).toEqual({ computing_us: 5, communication_us: 3, idle_us: 2 });
  });

  it("on a host, waiting for data is apart from a rank's own work", () => {
    expect(
      partsOf({ own_us: 7, data_wait_us: 2, communication_us: 3, step_us: 10 } as ClusterRank),
    ).toEqual({ own_us: 5, data_wait_us: 2, communication_us: 3 });
  });

  it("ranks are written as ranges", () => {
    expect(rangesOf([3, 0, 1, 2, 8, null])).toBe("0–3, 8");
    expect(rangesOf([])).toBe("");
  });

  it("a cell of the heat map is a rank's value beside the median of all in this step", () => {
    const heat = heatOfCluster(
      cluster(
        [
          [1, 4],
          [2, 5],
          [9, 6],
        ],
        [10, 20],
      ),
      "computing_us",
      64,
    )!;
    expect([heat.columns, heat.from, heat.to, heat.steps]).toEqual([2, 10, 20, [10, 20]]);
    expect([...heat.value]).toEqual([1, 4, 2, 5, 9, 6]);
    expect([...heat.median]).toEqual([2, 5, 2, 5, 2, 5]);
  });

  it("a row of several ranks shows the one that is farthest from the median, so none is hidden", () => {
    const cells = Array.from({ length: 1024 }, (_, rank) => [rank === 777 ? 30 : 10]);
    const heat = heatOfCluster(cluster(cells, [1]), "computing_us", 64)!;
    expect(heat.rows).toHaveLength(64);
    expect(heat.rows[48]).toEqual([768, 783]);
    expect([...heat.value].filter((value) => value === 30)).toHaveLength(1);
    expect(heat.value[48]).toBe(30);
  });

  it("what a rank did not record is no value, and ranks without numbers give no heat map", () => {
    const heat = heatOfCluster(cluster([[1], [null]], [1]), "computing_us", 64)!;
    expect([...heat.recorded]).toEqual([1, 0]);
    const unknown = { ...cluster([[1]], [1]), ranks: [{ rank: null }] } as unknown as ClusterData;
    expect(heatOfCluster(unknown, "computing_us", 64)).toBeUndefined();
  });
});
