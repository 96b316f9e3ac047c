import { expect, it } from "vitest";
import { chosenProfile, firstProfile } from "../../../src/pages/profile/profile";

it("the profile of the first selected run that has one is shown first", () => {
  const list = [
    { profile: "x", format: "", run: null },
    { profile: "b/p", format: "", run: "b" },
  ];
  expect(firstProfile(list, ["a", "b"])?.profile).toBe("b/p");
  expect(firstProfile(list, ["a"])?.profile).toBe("x");
  expect(firstProfile([], ["a"])).toBeUndefined();
});

it("the profile that the address names is shown, and no other in its place", () => {
  const list = [
    { profile: "x", format: "", run: null },
    { profile: "b/p", format: "", run: "b" },
  ];
  expect(chosenProfile(list, "x", ["b"])?.profile).toBe("x");
  expect(chosenProfile(list, "", ["b"])?.profile).toBe("b/p");
  expect(chosenProfile(list, "gone", ["b"])).toBeUndefined();
});
