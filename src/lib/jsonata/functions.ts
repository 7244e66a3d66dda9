import type { Expression, Focus } from "jsonata";
import { QueryError } from "../jsonpath/query.ts";
import { shuffle } from "../random/shuffle.ts";
import { createSeededRandom } from "../seeded-random.ts";
import { clonePlain } from "./values.ts";

/** What a query may know of the world: nothing that its caller did not give. */
export interface World {
  /** Epoch milliseconds. */
  now?: number | undefined;
  seed?: string | undefined;
}

/** Functions of the library, by name, as its queries see them. */
export type Natives = Readonly<Record<"eval" | "fromMillis" | "toMillis" | "pad" | "join", Native>>;

export interface Native {
  implementation(this: unknown, ...parameters: unknown[]): unknown;
}

/**
 * Characters that one call may make. Node ends a thread at its memory limit, but where a single string does not fit
 * into what is left, V8 ends the process.
 */
const maxPadding = 1_000_000;
const maxJoined = 16 * 1024 * 1024;

/** The last millisecond that a date can tell (ECMA-262 §21.4.1.1). */
const maxTime = 8.64e15;

/**
 * Replaces what would ask the clock, chance or JSON text for something, or make a string of any length.
 * @param check Judges a query that `$eval` is given.
 */
export function bindWorld(
  expression: Expression,
  natives: Natives,
  { now, seed }: World,
  check: (query: string) => void,
): void {
  const draw = seed === undefined ? undefined : createSeededRandom(seed);
  const time = (): number => {
    if (now !== undefined) return now;
    throw new QueryError("The query asks for the time; give it in now");
  };
  const random = (): ((size: number) => Uint8Array) => {
    if (draw !== undefined) return draw;
    throw new QueryError("The query asks for chance; give seed, any text, that it follows from");
  };
  const fromMillis = (millis: unknown, ...layout: unknown[]): unknown => {
    if (typeof millis === "number" && !(Math.abs(millis) <= maxTime))
      throw new QueryError(`${millis} milliseconds are beyond all dates`);
    return natives.fromMillis.implementation.call(undefined, millis, ...layout);
  };

  expression.registerFunction("millis", time, "<:n>");
  expression.registerFunction("now", (...layout) => fromMillis(time(), ...layout), "<s?s?:s>");
  expression.registerFunction("fromMillis", fromMillis, "<n-s?s?:s>");
  // What a picture does not say, such as the day of 13:45, is that of now.
  const timestamp = now === undefined ? new Proxy({}, { get: time }) : new Date(now);
  expression.registerFunction(
    "toMillis",
    (...text) => natives.toMillis.implementation.call({ environment: { timestamp } }, ...text),
    "<s-s?:n>",
  );
  expression.registerFunction("random", () => toFraction(random()(7)), "<:n>");
  expression.registerFunction("shuffle", (list?: unknown[]) => list && shuffle(list, random()), "<a:a>");
  expression.registerFunction("clone", clonePlain, "<(oa)-:o>");
  expression.registerFunction(
    "pad",
    (text: unknown, width: number, fill?: string) => {
      if (!(Math.abs(width) * (fill?.length || 1) <= maxPadding))
        throw new QueryError(`$pad makes ${maxPadding} characters at most`);
      return natives.pad.implementation.call(undefined, text, width, fill);
    },
    "<s-ns?:s>",
  );
  expression.registerFunction(
    "join",
    (parts: string[] | undefined, separator = "") => {
      let length = separator.length * (parts?.length ?? 0);
      for (const part of parts ?? []) length += part.length;
      if (length > maxJoined) throw new QueryError(`$join makes ${maxJoined} characters at most`);
      return natives.join.implementation.call(undefined, parts, separator);
    },
    "<a<s>s?:s>",
  );
  expression.registerFunction(
    "eval",
    function (this: Focus, query: unknown, input: unknown) {
      if (typeof query === "string") check(query);
      return natives.eval.implementation.call(this, query, input);
    },
    "<sx?:x>",
  );
}

/** 53 bits, as many as a double has below 1: the first 53 of the bytes. */
function toFraction(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return (view.getUint32(0) * 2 ** 21 + ((view.getUint32(3) & 0xff_ffff) >>> 3)) / 2 ** 53;
}
