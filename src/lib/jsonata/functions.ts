import { OptionFault } from "../fault.ts";
import type { Expression } from "jsonata";
import type { Budget } from "../budget.ts";
import { shuffle } from "../random/shuffle.ts";
import { createSeededRandom } from "../seeded-random.ts";
import { type Natives, replaceNative } from "./natives.ts";
import { clonePlain } from "./values.ts";

/** Time and randomness for a query: only what its caller provides. */
export interface World {
  /** Epoch milliseconds. */
  now?: number | undefined;
  seed?: string | undefined;
}

/** The last millisecond that a date can represent (ECMA-262 §21.4.1.1). */
const maxTime = 8.64e15;

/**
 * Replaces the functions that read the clock, use randomness, or convert through JSON text.
 * @param check Checks a query passed to `$eval`.
 */
export function bindWorld(
  expression: Expression,
  natives: Natives,
  { now, seed }: World,
  budget: Budget,
  check: (query: string) => void,
): void {
  const draw = seed === undefined ? undefined : createSeededRandom(seed);
  const time = (): number => {
    if (now !== undefined) return now;
    throw new OptionFault("The query uses the current time; pass it in now");
  };
  const random = (): ((size: number) => Uint8Array) => {
    if (draw !== undefined) return draw;
    throw new OptionFault("The query uses random numbers; pass any text in seed to derive them from");
  };
  const fromMillis = (millis: unknown, ...layout: unknown[]): unknown => {
    if (typeof millis === "number" && !(Math.abs(millis) <= maxTime))
      throw new OptionFault(`${millis} milliseconds are beyond all dates`);
    return natives.fromMillis.implementation.call(undefined, millis, ...layout);
  };

  expression.registerFunction("millis", time, "<:n>");
  expression.registerFunction("now", (...layout) => fromMillis(time(), ...layout), "<s?s?:s>");
  replaceNative(expression, "fromMillis", fromMillis);
  // Parts that a picture lacks, such as the day of 13:45, come from now.
  const timestamp = now === undefined ? new Proxy({}, { get: time }) : new Date(now);
  replaceNative(expression, "toMillis", (...text) =>
    natives.toMillis.implementation.call({ environment: { timestamp } }, ...text),
  );
  expression.registerFunction("random", () => toFraction(random()(7)), "<:n>");
  expression.registerFunction("shuffle", (list?: unknown[]) => list && shuffle(list, random()), "<a:a>");
  expression.registerFunction("clone", (value) => clonePlain(value, budget), "<(oa)-:o>");
  replaceNative(expression, "eval", function (this: unknown, query: unknown, input: unknown) {
    if (typeof query === "string") check(query);
    return natives.eval.implementation.call(this, query, input);
  });
}

/** Returns a fraction of 53 bits, the precision of a double below 1, from the first bytes. */
function toFraction(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return (view.getUint32(0) * 2 ** 21 + ((view.getUint32(3) & 0xff_ffff) >>> 3)) / 2 ** 53;
}
