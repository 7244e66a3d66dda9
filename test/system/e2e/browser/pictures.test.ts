import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { wordsOf } from "../../../pictures/draw.ts";
import { makePictures, pictureNames } from "../../../pictures/pictures.ts";
import { cases, maxSeconds } from "../../../support/cases.ts";
import { findBrowser, shareBrowser } from "./browser.ts";

const folder = new URL("../../../../docs/pictures/", import.meta.url);

// Where a word is, and what still fits, depends on the fonts of the machine, so the words are compared.
it.runIf(findBrowser() !== undefined)(
  "the pictures of the documents show the pages as they are (make pictures writes them again)",
  async () => {
    // Those in dark colours have the same words.
    const made = await makePictures(shareBrowser, ["light"], cases(pictureNames, maxSeconds));
    expect(readdirSync(folder).toSorted()).toEqual(
      pictureNames.flatMap((name) => [`${name}.svg`, `${name}-dark.svg`]).toSorted(),
    );
    for (const [page, svg] of made)
      for (const name of [`${page}.svg`, `${page}-dark.svg`]) {
        const kept = readFileSync(new URL(name, folder), "utf8");
        const [less = "", more = ""] = [wordsOf(kept), wordsOf(svg)].toSorted((a, b) => a.length - b.length);
        expect([name, less]).toEqual([name, more.slice(0, less.length)]);
        expect([name, less.length / more.length > 0.8]).toEqual([name, true]);
      }
  },
);
