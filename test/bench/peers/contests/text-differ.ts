import { applyPatch, createTwoFilesPatch } from "diff";
import { diffText } from "../../../../src/lib/diff/text-diff.ts";
import { toUnified } from "../../../../src/lib/diff/unified.ts";
import type { Contest } from "../../contest.ts";
import { textsOf } from "../../tool-documents.ts";

const { before, after } = textsOf(1_000_000);
const options = { unit: "line", ignoreWhitespace: false, ignoreEol: false } as const;

/** A patch is right if it turns the old text into the new one. */
const toMeaning = (patch: unknown): boolean => applyPatch(before, String(patch)) === after;

const contest: Contest = {
  data: Buffer.from(before),
  fields: { other: after },
  toMeaning,
  contestants: [
    {
      name: "createTwoFilesPatch of diff",
      used: true,
      run: (data) => createTwoFilesPatch("a", "b", data.toString(), after),
      toMeaning,
    },
    {
      name: "our diffText",
      used: true,
      run: async (data) => toUnified(await diffText(data.toString(), after, options), 3, ["a", "b"]),
      toMeaning,
    },
  ],
};

export default contest;
