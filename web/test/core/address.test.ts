import { describe, expect, test } from "vitest";
import { packRuns, readView, unpackRuns, writeView } from "../../src/core/address";
import { lasting } from "../../src/core/view";
import { defaultView, type Own, type View } from "../../src/core/view_state";

const shared: View = {
  ...defaultView,
  runs: ["a/b", "c,d"],
  query: 'last("loss") < 1',
  sort: "id",
  columns: ["last:loss"],
  rowsBy: "lr",
  diff: true,
  filter: "/lo&ss/",
  axis: "relative",
  log: true,
  logX: true,
  clip: true,
  smoothing: 0.6,
  range: [1.5, 20],
  levels: [
    { tag: "a~b,c", value: -0.5 },
    { tag: "l", value: 2 },
  ],
  group: "lr",
  pins: ["loss", "a,b"],
  apart: true,
  settings: { "slice a/b run 0": "[:, 0]", log: "1", axes: "lr\nloss" },
};

const own: Own = {
  scalars: { full: "t", rangeY: [-1, 2.5], second: "x/y", against: "z", ranks: "heat" },
  distributions: { form: "heat" },
  media: { together: true, step: "7", against: "before", strip: true, lens: "x\na/b\n0" },
  tensors: { step: "-7", against: "a/b", bars: true },
  graphs: { run: "a/b", graph: "ir:x=y", open: ["A/b", "c"], node: "A/b/c", dump: "d", base: "e" },
  lineage: { objective: "loss", parameter: "lr", brushes: ["lr~0~0.5"], datasets: true },
  landscape: { form: "together" },
  profile: {
    profile: "p",
    before: "q",
    tab: "steps",
    window: [1234567890123, 1234567890456],
    flame: "a;b",
    part: "idle_us",
  },
  log: { run: "a/b", rank: "3", place: "step:500" },
  compare: { a: "a/b", b: "c", tolerance: "0.5", tags: "^l", like: true, tag: "x/y", rank: "3" },
};

/** What a page has of its own in a fragment. */
function ownOf<P extends keyof Own>(page: P, query: string): Own[P] {
  return readView(`#/${page}?${query}`, []).own[page];
}

describe("the address of a view", () => {
  test("holds what all pages share", () => {
    const fragment = writeView(shared, []);
    expect(fragment).not.toMatch(/[ \n]/);
    expect(readView(fragment, [])).toEqual(shared);
  });
  test.each(Object.keys(own) as (keyof Own)[])("holds what the page %s has of its own", (page) => {
    const view = { ...defaultView, page, own: { ...defaultView.own, [page]: own[page] } };
    expect(view.own).not.toEqual(defaultView.own);
    expect(readView(writeView(view, []), [])).toEqual(view);
  });
  test("is short: without what is as at first, and without other pages' state", () => {
    expect(writeView({ ...defaultView, page: "scalars" }, [])).toBe("#/scalars");
    expect(
      writeView(
        { ...defaultView, page: "lineage", own: { ...own, lineage: defaultView.own.lineage } },
        [],
      ),
    ).toBe("#/lineage");
  });
  test("holds a thousand runs as a bitmap", () => {
    const all = Array.from({ length: 1000 }, (_, i) => `run-${i}`);
    const some = all.filter((_, i) => i % 3 === 0);
    const text = writeView({ ...defaultView, runs: some }, all);
    expect(text.length).toBeLessThan(300);
    expect([...readView(text, all).runs!].sort()).toEqual([...some].sort());
    expect(unpackRuns(packRuns([], all), all)).toEqual([]);
    expect(unpackRuns("***", all)).toEqual([]);
  });
  test("tells no selection from the one at first", () => {
    expect(readView(writeView({ ...defaultView, runs: [] }, []), []).runs).toEqual([]);
    expect(readView("#/scalars", []).runs).toBeNull();
  });
  test("is as at first where it cannot be read", () => {
    expect(readView("#/nowhere?s=7&z=5~1&k=x&%=%&w=nothing", [])).toEqual(defaultView);
    expect(ownOf("media", "step=x")).toEqual(defaultView.own.media);
    for (const window of ["5~5", "x~9", "0~Infinity"])
      expect(ownOf("profile", `window=${window}`).window).toBeNull();
  });
  test("keeps the settings of the runs table alone when another page is opened", () =>
    expect(lasting({ ...shared.settings, runs: "600" })).toEqual({ runs: "600" }));
});

describe("an address that an older page wrote", () => {
  test("gives the settings of charts and runs", () => {
    const old =
      "#/scalars?r=a/b,c%2Cd&q=last(%22loss%22)%20%3C%201&o=id&c=last%3Aloss&f=/lo%26ss/&x=relative&y=log&s=0.6&z=1.5~20&full=t&h=a~b%2Cc~-0.5,l~2&g=lr&rg=lr&y2=x/y&xt=z&d=1&p=loss,a%2Cb&lx=1&oc=1&zy=-1~2.5&ap=1";
    const view = readView(old, []);
    expect({ ...view, settings: shared.settings }).toEqual({
      ...shared,
      page: "scalars",
      own: { ...defaultView.own, scalars: { ...own.scalars, ranks: "" } },
    });
  });
  test("gives what each page has of its own", () => {
    expect(ownOf("distributions", "m=heat")).toEqual(own.distributions);
    expect(ownOf("media", "m=one&k=7&i=before&u=steps&full=x%0Aa/b%0A0")).toEqual(own.media);
    expect(ownOf("tensors", "k=-7&i=a/b&m=bars")).toEqual(own.tensors);
    expect(ownOf("graphs", "i=ir%3Ax%3Dy&ir=a/b&m=A/b/c&u=A%2Fb,c&y2=d&xt=e")).toEqual(own.graphs);
    expect(ownOf("lineage", "i=loss&m=data&u=lr~0~0.5&y2=lr")).toEqual(own.lineage);
    expect(ownOf("landscape", "m=together")).toEqual(own.landscape);
    expect(ownOf("profile", "i=p&ir=q&m=steps&t=1234567890123~1234567890456&y2=a%3Bb")).toEqual({
      ...own.profile,
      part: "",
    });
  });
  test("does not give one page another page's state", () => {
    expect(ownOf("landscape", "m=heat")).toEqual(defaultView.own.landscape);
    expect(ownOf("scalars", "i=p&m=3d&t=0~5&k=9")).toEqual(defaultView.own.scalars);
  });
});

test("addresses of older pages name a step, and what is none is refused", () => {
  expect(readView("#/media?k=12", []).own.media.step).toBe("12");
  expect(readView("#/media?step=12", []).own.media.step).toBe("12");
  for (const wrong of ["x", "5:", "5:x", ":1", "5:-1"])
    expect(readView(`#/media?step=${wrong}`, []).own.media.step).toBe("");
});
