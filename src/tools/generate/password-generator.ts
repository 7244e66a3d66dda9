import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { createDraw } from "../../lib/random/draw.ts";
import { chanceOfAll, drawPassword } from "../../lib/random/password.ts";
import { secretRandom, secretSeed } from "../secret-input.ts";

const input = z.object({
  length: z.int().min(4).max(512).default(20).describe("Characters in each password"),
  upper: z.boolean().default(true).describe("Use upper-case letters, at least one"),
  lower: z.boolean().default(true).describe("Use lower-case letters, at least one"),
  digits: z.boolean().default(true).describe("Use digits, at least one"),
  symbols: z
    .boolean()
    .default(true)
    .describe("Use symbols, at least one; quotes, backslashes and backticks are never used"),
  exclude: z.string().max(256).default("").describe("Characters to exclude, such as 0Oo1lI"),
  count: z.int().min(1).max(1000).default(1).describe("Number to generate, one per line"),
  ...secretSeed,
});

export default defineTool({
  slug: "password-generator",
  title: "Password generator",
  summary: "Generate passwords with at least one character of each selected class.",
  page: {
    tile: "Length, classes, strength",
    layout: "generate",
    view: "value:strength",
    options: ["length", "upper", "lower", "digits", "symbols", "count"],
    labels: { upper: "A–Z", lower: "a–z", digits: "0–9", symbols: "Symbols" },
  },
  aliases:
    "password, random password, strong password, pwgen, apg, openssl rand -base64, secure password, generate passwords, makepasswd, random string, generate secret",
  input,
  whenOff: {
    upper: "Use no upper-case letters",
    lower: "Use no lower-case letters",
    digits: "Use no digits",
    symbols: "Use no symbols",
  },
  deterministic: false,
  // A thousand passwords of the maximum length are too many for the event loop.
  isolate: "thread",
  examples: [
    { input: { seed: "golden file", unsafe: true }, result: "WgkL.0_(KC;+{0u@hFo9" },
    {
      title: "Two passwords that are easy to read out, without symbols",
      input: { length: 12, symbols: false, exclude: "0Oo1lI", count: 2, seed: "golden file", unsafe: true },
      result: "YLQhxT6qVfMw\nC8n2J6ybwMSr",
    },
  ],
  run: generate,
});

const characters = {
  upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  lower: "abcdefghijklmnopqrstuvwxyz",
  digits: "0123456789",
  symbols: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
};

function generate(
  { length, exclude, count, ...options }: z.output<typeof input>,
  context: ToolContext,
): string {
  const asked = (["upper", "lower", "digits", "symbols"] as const).filter((name) => options[name]);
  if (asked.length === 0) throw invalidField("upper", "Ask for one class of characters at least.");
  const classes = asked.map((name) => [...characters[name]].filter((one) => !exclude.includes(one)));
  const empty = asked.find((_, index) => classes[index]?.length === 0);
  if (empty !== undefined)
    throw invalidField("exclude", `Nothing is left of ${empty}; set it to false instead.`);
  const chance = chanceOfAll(
    classes.map(({ length: size }) => size),
    length,
  );
  if (chance < 0.01)
    throw invalidField(
      "length",
      "Too short for characters of all classes, with what is excluded; make it longer.",
    );
  const draw = createDraw(secretRandom(options, context));
  return Array.from({ length: count }, () => drawPassword(draw, classes, length)).join("\n");
}
