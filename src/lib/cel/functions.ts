import type * as Cel from "@bufbuild/cel";
import { type Budget, BudgetError } from "../budget.ts";
import { OptionFault } from "../fault.ts";
import type { openRe2 } from "../regex/re2.ts";
import { createFormatFunctions } from "./format.ts";
import { createStringFunctions } from "./strings.ts";
import { createTimeFunctions } from "./times.ts";
import { concatenate } from "./values.ts";

/** The name of the function that counts the rounds of comprehensions; no expression can name it. */
export const roundCounter = "@round";

export interface FunctionNeeds {
  library: typeof Cel;
  compile: Awaited<ReturnType<typeof openRe2>>;
  /** The budget of the evaluation that runs. */
  budget(): Budget;
  /** Counts a round of a comprehension. */
  onRound(): void;
}

/**
 * Returns functions that replace those of the library of the same name and types, because there they have no bound, depend on the time
 * zone of the machine, or differ from the language definition; and the functions of strings that Kubernetes has.
 */
export function createFunctions({ library, compile, budget, onRound }: FunctionNeeds): Cel.CelFunc[] {
  const { celFunc, celMethod, listType, mapType, CelScalar } = library;
  const { BOOL, BYTES, DOUBLE, DYN, INT, STRING, UINT } = CelScalar;
  const list = listType(DYN);
  const map = mapType(DYN, DYN);

  const patterns = new Map<string, ReturnType<typeof compile>>();
  const matches = (text: string, pattern: string): boolean => {
    let compiled = patterns.get(pattern);
    if (compiled === undefined) {
      compiled = toError(() => compile(pattern, ""));
      // An expression can make patterns without end.
      if (patterns.size >= maxPatterns) patterns.clear();
      patterns.set(pattern, compiled);
    }
    return compiled.test(text);
  };

  const text = (value: string): string => {
    budget().text(value.length);
    return value;
  };

  return [
    celFunc(roundCounter, [DYN], DYN, (value) => {
      onRound();
      return value;
    }),
    celMethod("matches", STRING, [STRING], BOOL, function (pattern) {
      return matches(this, pattern);
    }),
    celFunc("matches", [STRING, STRING], BOOL, matches),
    celFunc("_+_", [STRING, STRING], STRING, (left, right) => {
      budget().text(left.length + right.length);
      return left + right;
    }),
    celFunc("_+_", [BYTES, BYTES], BYTES, (left, right) => {
      budget().text(left.length + right.length);
      return Buffer.concat([left, right]);
    }),
    celFunc("_+_", [list, list], list, (left, right) => concatenate(left, right, budget().items)),
    // The library finds no key whose value is null.
    ...[STRING, INT, UINT, BOOL, DOUBLE].map((type) =>
      celFunc("@in", [type, map], BOOL, (key, of: Cel.CelMap) => of.get(key) !== undefined),
    ),
    celFunc("size", [STRING], INT, sizeOf),
    celMethod("size", STRING, [], INT, function () {
      return sizeOf(this);
    }),
    celFunc("int", [STRING], INT, toInt),
    celFunc("double", [STRING], DOUBLE, toDouble),
    ...(["_<_", "_<=_", "_>_", "_>=_"] as const).map((name) =>
      celFunc(name, [STRING, STRING], BOOL, (left, right) => comparisons[name](compareText(left, right))),
    ),
    ...createStringFunctions({ library, text, items: (count) => budget().items(count) }),
    ...createFormatFunctions({ library, text }),
    ...createTimeFunctions(library),
  ];
}

/** Most compiled patterns that are kept. */
const maxPatterns = 100;

/** The message of an OptionFault has its place at the end. */
function toError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof OptionFault) || error instanceof BudgetError) throw error;
    throw new Error(`invalid pattern of RE2: ${error.message}`, { cause: error });
  }
}

/** Code points, without a list of them. */
function sizeOf(text: string): bigint {
  let size = text.length;
  for (let at = 0; at + 1 < text.length; at++)
    if (text.charCodeAt(at) >>> 10 === 0x36 && text.charCodeAt(at + 1) >>> 10 === 0x37) size--;
  return BigInt(size);
}

/** `BigInt` also takes an empty text, spaces and hexadecimal digits. */
function toInt(text: string): bigint {
  if (!/^[+-]?\d{1,40}$/.test(text)) throw new Error("the string is not an integer");
  const int = BigInt(text.replace(/^\+/, ""));
  if (BigInt.asIntN(64, int) !== int) throw new Error("the integer is out of range");
  return int;
}

/** `Number` also takes an empty text, spaces and hexadecimal digits. */
function toDouble(text: string): number {
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (word === null) throw new Error("the string is not a number");
  return word[2]?.toLowerCase() === "nan" ? Number.NaN : word[1] === "-" ? -Infinity : Infinity;
}

/** Compares by code points; JavaScript compares UTF-16 code units. */
function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    // Surrogates stand for code points above all others.
    if (a !== b) return a >= 0xd800 && b >= 0xd800 ? rankOf(a) - rankOf(b) : a - b;
  }
  return left.length - right.length;
}

const rankOf = (unit: number): number => (unit < 0xe000 ? unit + 0x10000 : unit);

const comparisons = {
  "_<_": (order: number) => order < 0,
  "_<=_": (order: number) => order <= 0,
  "_>_": (order: number) => order > 0,
  "_>=_": (order: number) => order >= 0,
};
