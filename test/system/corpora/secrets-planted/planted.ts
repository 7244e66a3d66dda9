import { createDraw } from "../../../../src/lib/random/draw.ts";
import { createSeededRandom } from "../../../../src/lib/seeded-random.ts";
import { businessExamples } from "./business.ts";
import { cloudsExamples } from "./clouds.ts";
import { codeExamples } from "./code.ts";
import { filesExamples } from "./files.ts";
import { messagesExamples } from "./messages.ts";
import { modelsExamples } from "./models.ts";
import { namedExamples } from "./named.ts";
import { operationsExamples } from "./operations.ts";
import { paymentsExamples } from "./payments.ts";

/**
 * Id of a rule, a shape of what it finds, and a shape that it does not find; for a rule by name, the beginning of the name.
 * {h32} in a shape stands for 32 random hexadecimal digits, {id} for a UUID, and ¦ for nothing: no token stands in these files.
 */
export type Planted = readonly [rule: string, example: string, nearMiss: string, name?: string];

/** An example and a near miss of every rule. */
export const planted: readonly Planted[] = [
  ...cloudsExamples,
  ...codeExamples,
  ...modelsExamples,
  ...paymentsExamples,
  ...messagesExamples,
  ...operationsExamples,
  ...businessExamples,
  ...namedExamples,
  ...filesExamples,
];

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();

/** Characters by the letter in a shape. */
const alphabets: Readonly<Record<string, string>> = {
  h: `${digits}abcdef`,
  l: digits + lower,
  U: digits + upper,
  w: digits + lower + upper,
  u: `${digits + lower + upper}_-`,
  b: `${digits + lower + upper}+/`,
  B: `${upper}234567`,
  a: lower + upper,
  A: "ABCD",
  d: digits,
};

/** Fills a shape with random characters, always the same for one seed. Its last character is a letter or digit. */
export function fill(shape: string, seed: string): string {
  const draw = createDraw(createSeededRandom(seed));
  return shape
    .replaceAll("¦", "")
    .replaceAll("{id}", "{h8}-{h4}-{h4}-{h4}-{h12}")
    .replaceAll(/\{([a-zA-Z])(\d+)\}/g, (_, kind: string, count: string) => {
      const alphabet = alphabets[kind] as string;
      const plain = [...alphabet].filter((one) => /[A-Za-z\d]/.test(one));
      return Array.from({ length: Number(count) }, (_one, at) =>
        // Not at the ends: a rule must not lean on what is beside the token.
        at === 0 || at === Number(count) - 1 ? plain[draw(plain.length)] : alphabet[draw(alphabet.length)],
      ).join("");
    });
}
