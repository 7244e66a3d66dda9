import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { withoutLineEnd } from "../../lib/lines.ts";
import { findBase, formatBase, parseBase } from "../../lib/number/base.ts";
import { refusing, withRemedy } from "../refusing.ts";

const bases = ["auto", ...Array.from({ length: 35 }, (_, index) => String(index + 2))];

const input = z.object({
  data: z
    .string()
    .describe("The number, of any size, optionally with a sign, a point and underscores between digits"),
  // Accepts the number 16 as well as the string.
  from: z.coerce
    .string()
    .pipe(z.enum(bases))
    .meta({ enum: bases })
    .default("auto")
    .describe("Base of data; auto detects the prefixes 0x, 0o and 0b and defaults to 10"),
  to: z.int().min(2).max(36).describe("Base of the result"),
  digits: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe("Most digits after the point; the number is rounded to them. A fraction must end by default"),
  upper: z.boolean().default(false).describe("Use upper-case digits"),
});

export default defineTool({
  slug: "number-base-converter",
  title: "Number base converter",
  version: "1.1.0",
  summary: "Convert numbers of any size between bases 2 to 36, exactly or to a number of digits.",
  page: {
    tile: "2, 8, 10, 16, 36, of any size",
    layout: "line",
    view: "props",
    options: ["to", "from", "digits"],
    labels: { data: "Number", from: "Base", to: "Other base" },
    start: { to: 16 },
  },
  accepts: "a number",
  aliases:
    "hex to decimal, decimal to hex, binary, binary to decimal, decimal to binary, bin2dec, dec2hex, dec2bin, hex2dec, octal, octal to decimal, radix, parseint, base converter, integer base, convert base, hexadecimal number, base 36, bc obase, 0xff, to base, from base",
  input,
  examples: [
    { input: { data: "0xff", to: 2 }, result: "11111111" },
    {
      title: "Beyond 2^53, negative, with underscores",
      input: { data: "-123_456_789_012_345_678_901", to: 16, upper: true },
      result: "-6B14E9F812F366C35",
    },
    { title: "A fraction", input: { data: "10.1", from: "2", to: 10 }, result: "2.5" },
    {
      title: "A fraction that does not end in the other base",
      input: { data: "0.1", to: 2, digits: 20 },
      result: "0.0001100110011001101",
    },
  ],
  run: ({ data, from, to, digits, upper }) => {
    const text = withoutLineEnd(data);
    const base = from === "auto" ? from : Number(from);
    const result = refusing(text, () =>
      formatBase(
        withRemedy(
          () => parseBase(text, base),
          () => {
            const accepting = findBase(text);
            return accepting === undefined ? undefined : `from to ${accepting}`;
          },
        ),
        to,
        digits,
      ),
    );
    return upper ? result.toUpperCase() : result;
  },
});
