import { describe, expect, test } from "vitest";
import { toQuery } from "../../src/core/query";

describe("a text above the table of runs", () => {
  test.each([
    ["", ""],
    ["b16", "name =~ '(?i)b16' or b16"],
    ["rank", "name =~ '(?i)rank' or rank"],
    ["16", "name =~ '(?i)16'"],
    ["lr0.1_s2", "name =~ '(?i)lr0[.]1_s2' or lr0.1_s2"],
    ["rank-3", "name =~ '(?i)rank-3'"],
    ["sweep rank_3", "name =~ '(?i)sweep' and name =~ '(?i)rank_3'"],
    ["训练", "name =~ '(?i)训练'"],
    ["lr > 0.1", "lr > 0.1"],
    ["state", "state"],
    ["not lr", "not lr"],
    ["lineage.lr", "lineage.lr"],
    ['last("loss") < 1', 'last("loss") < 1'],
    ["name =~ 'x'", "name =~ 'x'"],
  ])("%s", (text, query) => expect(toQuery(text)).toBe(query));
});
