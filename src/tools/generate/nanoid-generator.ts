import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { createDraw } from "../../lib/random/draw.ts";
import { drawText } from "../../lib/random/text.ts";
import { createSeededRandom } from "../../lib/seeded-random.ts";

const maxCharacters = 500_000;

const input = z.object({
  length: z
    .int()
    .min(1)
    .max(512)
    .default(21)
    .describe("Characters in each identifier; 21 characters of the default alphabet hold 126 bits"),
  alphabet: z
    .string()
    .max(1024)
    .default("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
    .describe("Alphabet: 2 to 256 different characters, drawn with equal probability"),
  count: z.int().min(1).max(10_000).default(1).describe("Number to generate, one per line"),
  seed: z.string().max(1024).optional().describe("Seed for repeatable results; for tests, never for secrets"),
});

export default defineTool({
  slug: "nanoid-generator",
  title: "NanoID generator",
  summary: "Generate short random identifiers that are safe in URLs.",
  page: {
    tile: "Short, safe in URLs",
    layout: "generate",
    view: "value",
    options: ["length", "alphabet", "count"],
  },
  aliases:
    "nanoid, nano id, short id, unique id, url safe id, random id, random string, short unique identifier, slug id",
  input,
  deterministic: false,
  // Up to half a million characters are too many for the event loop.
  isolate: "thread",
  examples: [
    { input: { seed: "golden file" }, result: "W6_HglJ90O7VDkCmMg2w0" },
    {
      title: "Two identifiers of eight unambiguous characters",
      input: { length: 8, alphabet: "23456789ABCDEFGHJKMNPQRSTVWXYZ", count: 2, seed: "golden file" },
      result: "R48NGDFR\nW9V9C4JT",
    },
  ],
  run({ length, alphabet, count, seed }, context) {
    const characters = [...alphabet];
    if (characters.length < 2 || characters.length > 256 || new Set(characters).size < characters.length)
      throw invalidField("alphabet", "Must have 2 to 256 characters, each of them once.");
    // A line break would split an identifier in two.
    if (/[\s\p{C}]/u.test(alphabet))
      throw invalidField("alphabet", "Must not contain spaces or control characters.");
    if (count * length > maxCharacters)
      throw invalidField("count", `All together may have ${maxCharacters} characters at most.`);
    const draw = createDraw(seed === undefined ? context.random : createSeededRandom(seed));
    return Array.from({ length: count }, () => drawText(draw, characters, length)).join("\n");
  },
});
