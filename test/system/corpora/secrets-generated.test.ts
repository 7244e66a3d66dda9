import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Tool } from "../../../src/catalog/tool.ts";
import { findSecrets, secretRules } from "../../../src/lib/secrets/find.ts";
import { redact, redactionKinds } from "../../../src/lib/secrets/redact.ts";
import nanoidGenerator from "../../../src/tools/generate/nanoid-generator.ts";
import passwordGenerator from "../../../src/tools/generate/password-generator.ts";
import tokenGenerator from "../../../src/tools/generate/token-generator.ts";
import { drawSeed, propertyRuns } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";
import { type Syntax, syntaxes } from "./secrets-syntaxes.ts";

/** Names of passwords and of keys, in words. */
const passwords =
  "password|passwd|pwd|db password|admin pass|passphrase|secret|client secret|jwt secret|session secret|smtp password|root pw".split(
    "|",
  );
const tokens =
  "token|api key|access token|auth token|secret key|encryption key|signing key|api token|refresh token|app key|private key|bearer".split(
    "|",
  );

const bool = fc.boolean();
const seed = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme-ascii" });
const passwordOptions = fc.record({
  length: fc.integer({ min: 4, max: 64 }),
  upper: bool,
  lower: bool,
  digits: bool,
  symbols: bool,
  exclude: fc.constantFrom("", "0Oo1lI", "<>", "#$%"),
  seed,
});
const tokenOptions = fc.record({
  bytes: fc.integer({ min: 8, max: 96 }),
  encoding: fc.constantFrom("hex", "base64url", "base62"),
  prefix: fc.constantFrom("", "acme_", "acme_live_", "sk-", "test_", "my-app.", "key_"),
  checksum: bool,
  seed,
});
const nanoidOptions = fc.record({
  length: fc.integer({ min: 1, max: 64 }),
  alphabet: fc.constantFrom(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
    "23456789ABCDEFGHJKMNPQRSTVWXYZ",
    "0123456789abcdefghijklmnopqrstuvwxyz",
    "0123456789abcdef",
  ),
  seed,
});

interface Made {
  value: string;
  /** Bits of randomness in it. */
  bits: number;
}

async function makePassword({
  seed: from,
  ...options
}: typeof passwordOptions extends fc.Arbitrary<infer T> ? T : never): Promise<Made | undefined> {
  const { upper, lower, digits, symbols, exclude, length } = options;
  const alphabet = [
    ...(upper ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ" : ""),
    ...(lower ? "abcdefghijklmnopqrstuvwxyz" : ""),
    ...(digits ? "0123456789" : ""),
    ...(symbols ? "!#$%&()*+,-./:;<=>?@[]^_{|}~" : ""),
  ];
  if (alphabet.length === 0) return undefined;
  const size = alphabet.filter((one) => !exclude.includes(one)).length;
  const value = await make(passwordGenerator, { ...options, seed: from, unsafe: true });
  return { value, bits: length * Math.log2(size) };
}

const make = (tool: Tool, input: Record<string, unknown>): Promise<string> => runTool(tool, input);

async function makeToken({
  seed: from,
  ...options
}: typeof tokenOptions extends fc.Arbitrary<infer T> ? T : never): Promise<Made> {
  return {
    value: await make(tokenGenerator, { ...options, seed: from, unsafe: true }),
    bits: options.bytes * 8,
  };
}

async function makeNanoid(
  options: typeof nanoidOptions extends fc.Arbitrary<infer T> ? T : never,
): Promise<Made> {
  return {
    value: await make(nanoidGenerator, options),
    bits: options.length * Math.log2(options.alphabet.length),
  };
}

const generated = fc.oneof(
  passwordOptions.map((options) => () => makePassword(options)),
  tokenOptions.map((options) => () => makeToken(options)),
  nanoidOptions.map((options) => () => makeNanoid(options)),
);

const isFound = (text: string, written: string): boolean => {
  const at = text.indexOf(written);
  // A token of a service may end before what follows it.
  return findSecrets(text, secretRules, 100).some(
    ({ index, end }) => index >= at && end <= at + written.length,
  );
};
const isMasked = (text: string, written: string): boolean => {
  const at = text.indexOf(written);
  const masked = redact(text, redactionKinds, "¤");
  return masked === `${text.slice(0, at)}¤${text.slice(at + written.length)}`;
};

/** Searches what is due and returns how many texts there were, and those in which the search fails. */
async function search(
  names: readonly string[],
  isDue: (made: Made) => boolean,
  holds: (text: string, written: string) => boolean,
): Promise<{ count: number; missed: string[] }> {
  let count = 0;
  const missed: string[] = [];
  await fc.assert(
    fc.asyncProperty(
      generated,
      fc.constantFrom(...names),
      fc.constantFrom(...syntaxes),
      async (run: () => Promise<Made | undefined>, name: string, syntax: Syntax) => {
        const made = await run();
        if (made === undefined || !isDue(made)) return;
        count++;
        const { text, written } = syntax.write(name.split(" "), made.value);
        if (!holds(text, written)) missed.push(text);
      },
    ),
    { numRuns: propertyRuns(4000), seed: drawSeed() },
  );
  return { count, missed };
}

/** Random text looks like names once in a while, as `BrLoc-sPb` does: one of 3,000 did, one of 500 may. */
const fewOf = (count: number): number => Math.floor(count / 500);

describe("what the generators make, under any name of a secret and in any syntax", () => {
  /** Letters of one case may be words: 20 of them, the default length, never are. */
  const isRecognizable = ({ value }: Made): boolean =>
    value.length >= 20 || !/^(?:[A-Z]*|[a-z]*|[A-Za-z]*|\d*|[^A-Za-z\d]*)$/.test(value);

  test("secret-scanner finds under the name of a password, from 8 characters of all classes", async () => {
    const { count, missed } = await search(
      passwords,
      (made) => made.bits >= 51 && isRecognizable(made),
      isFound,
    );
    expect(count).toBeGreaterThan(1000);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(fewOf(count));
  });

  test("secret-scanner finds under the name of a key, from 72 bits", async () => {
    const { count, missed } = await search(
      tokens,
      (made) => made.bits >= 72 && isRecognizable(made),
      isFound,
    );
    expect(count).toBeGreaterThan(1000);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(fewOf(count));
  });

  test("text-redactor masks, from 8 characters of all classes", async () => {
    const { count, missed } = await search([...passwords, ...tokens], ({ bits }) => bits >= 51, isMasked);
    expect(count).toBeGreaterThan(1000);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(fewOf(count));
  });

  // Below the bounds above a value may be a word, a number or a date, so that not every one can be told from those.
  test("secret-scanner finds most passwords of 6 and 8 characters of few classes", async () => {
    const classes = {
      digits: { digits: true },
      lower: { lower: true },
      upper: { upper: true },
      letters: { lower: true, upper: true },
      symbols: { symbols: true },
      "lower and digits": { lower: true, digits: true },
      all: { lower: true, upper: true, digits: true, symbols: true },
    };
    const none = { upper: false, lower: false, digits: false, symbols: false };
    const shares: Record<string, string> = {};
    for (const [name, given] of Object.entries(classes)) {
      const found = { 6: 0, 8: 0 };
      for (const length of [6, 8] as const) {
        for (let round = 0; round < 200; round++) {
          const options = { ...none, ...given, length, seed: `${round}`, unsafe: true };
          const value = await make(passwordGenerator, options);
          if (isFound(`{"password": ${JSON.stringify(value)}}`, JSON.stringify(value).slice(1, -1)))
            found[length]++;
        }
      }
      shares[name] = `${found[6] / 2} % of 6, ${found[8] / 2} % of 8 characters`;
      expect(found[8], name).toBeGreaterThan(160);
    }
    process.stdout.write(`generated passwords that are found: ${JSON.stringify(shares)}\n`);
  });
});
