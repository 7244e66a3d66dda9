import { DocumentFault, OptionFault } from "../fault.ts";
import type { Budget } from "../budget.ts";
import { toShortPointer } from "../json/pointer.ts";
import {
  isDictionary,
  isList,
  isLiteral,
  maxDepth,
  toNumber,
  type Literal,
  type Value,
} from "../data/value.ts";
import { isCarried, readNotation, type NumberUse } from "./numbers.ts";

/** Converts a document to the values of JSONata, and results back. */
export interface Exchange {
  /** Objects without a prototype, arrays and scalars. */
  readonly input: unknown;
  /**
   * Converts the result of a query. A whole part of the document keeps its notation.
   * @throws OptionFault if the result is not JSON.
   */
  toValue(result: unknown): Value;
}

const functionMarks = ["_jsonata_function", "_jsonata_lambda"];

/** Keys that mark JSONata's internal values: a document with one could pass for a function. */
const reserved = new Set([...functionMarks, "outerWrapper", "tupleStream"]);

type Members = Record<string | number, unknown>;

/** The literals behind properties that must not be read. */
const unread = new WeakMap<() => unknown, Literal>();

/**
 * @param literals Numbers in the query, which the document's numbers may be compared with.
 * @throws DocumentFault if the document has a key that JSONata reserves; from `input`, when the query reads a
 * number that it would change.
 */
export function openExchange(document: Value, use: NumberUse, literals: readonly string[]): Exchange {
  const notation = readNotation(document, literals);
  const sources = new WeakMap<object, Value>();
  const path: (string | number)[] = [];

  function toPlain(value: Value): unknown {
    if (isList(value)) {
      const list: unknown[] = [];
      for (const [index, item] of value.entries()) put(list as unknown as Members, index, item);
      sources.set(list, value);
      return list;
    }
    if (isDictionary(value)) {
      const members = Object.create(null) as Members;
      for (const [key, item] of value) {
        if (reserved.has(key)) throw refuseKey(key, [...path, key]);
        put(members, key, item);
      }
      const object = inOrder(members, value);
      sources.set(object, value);
      return object;
    }
    return isLiteral(value) ? Number(value.text) : value;
  }

  function put(target: Members, key: string | number, value: Value): void {
    path.push(key);
    if (isLiteral(value) && isUnfit(value.text)) hide(target, key, value, toShortPointer(path));
    // An object without prototype has no `__proto__` setter: it is a key like any other.
    else target[key] = toPlain(value);
    path.pop();
  }

  /** A query that selects could confuse numbers that become one double. */
  const isUnfit = (text: string): boolean =>
    !isCarried(text, use) && (use !== "select" || notation.isShared(Number(text)));

  function toNumberText(double: number): Value {
    const text = notation.textOf(double);
    if (text !== undefined) return toNumber(text);
    if (Number.isFinite(double)) return toNumber(String(double));
    throw new OptionFault(`The result contains the number ${double}, which JSON cannot represent`);
  }

  const made = new Map<object, Value>();

  function fromPlain(value: unknown, depth: number): Value {
    if (value === undefined || value === null) return null;
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return toNumberText(value);
    if (typeof value !== "object" || isFunctionObject(value)) {
      throw new OptionFault("The result is or contains a function; call it with ()");
    }
    const known = sources.get(value) ?? made.get(value);
    if (known !== undefined) return known;
    if (depth > maxDepth) throw new OptionFault(`The result nests more than ${maxDepth} levels deep`);
    const read = (key: string | number): Value =>
      literalAt(value, key) ?? fromPlain((value as Members)[key], depth + 1);
    const copy = Array.isArray(value)
      ? [...value.keys()].map(read)
      : new Map(Object.keys(value).map((key) => [key, read(key)]));
    // A value that occurs several times in the result is converted once: `[$a, $a]`, repeated ten times,
    // doubles it each time.
    made.set(value, copy);
    return copy;
  }

  if (isLiteral(document) && isUnfit(document.text)) throw refuseNumber(document.text, "");
  return { input: toPlain(document), toValue: (result) => fromPlain(result, 0) };
}

/**
 * Returns a deep copy with exact digits. JSONata's own copy goes through JSON text, and rounds.
 * @throws BudgetError
 */
export function clonePlain(value: unknown, budget: Budget): unknown {
  if (typeof value === "function") return "";
  if (typeof value !== "object" || value === null) return value;
  if (isFunctionObject(value)) return "";
  const list = Array.isArray(value);
  const keys = list ? [...value.keys()] : Object.keys(value);
  budget.items(4 + keys.length);
  const copy = list ? ([] as unknown as Members) : (Object.create(null) as Members);
  // JSONata's lists carry marks besides their items.
  for (const key of keys) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if (descriptor?.get !== undefined) Object.defineProperty(copy, key, descriptor);
    else copy[key] = clonePlain(descriptor?.value, budget);
  }
  return copy;
}

/** Stores a number in a property that queries can pass on but not read. */
function hide(target: object, key: string | number, literal: Literal, pointer: string): void {
  const get = (): never => {
    throw refuseNumber(literal.text, pointer);
  };
  unread.set(get, literal);
  Object.defineProperty(target, key, { get, enumerable: true, configurable: true });
}

function literalAt(value: object, key: string | number): Literal | undefined {
  const get = Object.getOwnPropertyDescriptor(value, key)?.get;
  return get === undefined ? undefined : unread.get(get);
}

/** Lists keys in the order of the document; JavaScript would list keys such as "10" first, by size. */
function inOrder(members: object, document: ReadonlyMap<string, Value>): object {
  const keys = [...document.keys()];
  if (Object.keys(members).every((key, index) => key === keys[index])) return members;
  return new Proxy(members, { ownKeys: () => keys });
}

const isFunctionObject = (value: object): boolean =>
  functionMarks.some((mark) => (value as Members)[mark] === true);

const refuseKey = (key: string, path: readonly (string | number)[]): DocumentFault =>
  new DocumentFault(`JSONata reserves the key "${key}"; use jsonpath or jmespath.`, {
    pointer: toShortPointer(path),
  });

const refuseNumber = (text: string, pointer: string): DocumentFault =>
  new DocumentFault(
    `JSONata computes with doubles, which would change the number ${text.slice(0, 40)}; remove it from the query, or use jsonpath or jmespath.`,
    { pointer },
  );
