import { expect, test } from "vitest";
import { allTexts } from "../../src/core/text";

test("each text is there in both languages, with the same places for values", () => {
  for (const [key, [english, chinese]] of Object.entries(allTexts)) {
    const places = (text: string) => [...text.matchAll(/\{\d\}/g)].map((match) => match[0]).sort();
    expect(chinese, key).not.toBe("");
    expect(places(chinese), key).toEqual(places(english));
  }
});
