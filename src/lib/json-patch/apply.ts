import { counted } from "../counted.ts";
import { DocumentFault } from "../fault.ts";
import { equalValues } from "../data/equal.ts";
import { toShortPointer } from "../json/pointer.ts";
import { type Dictionary, isDictionary, isList, type List, type Value } from "../data/value.ts";
import type { Operation } from "./operations.ts";

/** Most values that copies may make: each copy can double the document, and thirty make a billion values. */
const maxCopied = 2_000_000;

/**
 * Applies a JSON Patch (RFC 6902). Changes the document in place, and leaves it unusable on error.
 * @throws DocumentFault with the index of the operation that fails.
 */
export function applyPatch(document: Value, operations: readonly Operation[]): Value {
  const state: State = { root: document, copied: 0 };
  for (const [index, operation] of operations.entries()) {
    try {
      apply(state, operation);
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      const pointer = `/${index}${error.at.pointer}`;
      throw new DocumentFault(`Operation ${index} (${operation.op}) fails: ${error.message}`, { pointer });
    }
  }
  return state.root;
}

interface State {
  root: Value;
  /** Values that copy operations have made. */
  copied: number;
}

/** A member of an operation is at fault. */
const misplaced = (message: string, member = "path"): DocumentFault =>
  new DocumentFault(message, { pointer: `/${member}` });

function apply(state: State, operation: Operation): void {
  switch (operation.op) {
    case "add":
      return add(state, operation.path, operation.value);
    case "remove":
      take(state, operation.path, "path");
      return;
    case "replace":
      return replace(state, operation.path, operation.value);
    case "move": {
      const value = find(state.root, operation.from, "from");
      if (operation.from.length > 0) take(state, operation.from, "from");
      return add(state, operation.path, value);
    }
    case "copy":
      return add(state, operation.path, copy(state, find(state.root, operation.from, "from")));
    case "test":
      if (equalValues(find(state.root, operation.path, "path"), operation.value)) return;
      throw misplaced(`the value at ${name(operation.path)} is different.`, "value");
  }
}

function add(state: State, path: readonly string[], value: Value): void {
  const key = path.at(-1);
  if (key === undefined) {
    state.root = value;
    return;
  }
  const parent = parentOf(state.root, path, "path");
  if (isDictionary(parent)) parent.set(key, value);
  else if (key === "-") parent.push(value);
  else parent.splice(indexIn(parent, key, parent.length, "path", path), 0, value);
}

function replace(state: State, path: readonly string[], value: Value): void {
  const key = path.at(-1);
  if (key === undefined) {
    state.root = value;
    return;
  }
  const parent = parentOf(state.root, path, "path");
  if (isList(parent)) parent[indexIn(parent, key, parent.length - 1, "path", path)] = value;
  else if (parent.has(key)) parent.set(key, value);
  else throw misplaced(`there is nothing at ${name(path)}.`);
}

/** Removes an existing value. The whole document can be replaced, but not removed. */
function take(state: State, path: readonly string[], member: string): void {
  const key = path.at(-1);
  if (key === undefined) throw misplaced("the whole document cannot be removed.", member);
  const parent = parentOf(state.root, path, member);
  if (isList(parent)) parent.splice(indexIn(parent, key, parent.length - 1, member, path), 1);
  else if (!parent.delete(key)) throw misplaced(`there is nothing at ${name(path)}.`, member);
}

function find(root: Value, path: readonly string[], member: string): Value {
  const key = path.at(-1);
  if (key === undefined) return root;
  const parent = parentOf(root, path, member);
  if (isList(parent)) return parent[indexIn(parent, key, parent.length - 1, member, path)] as Value;
  const value = parent.get(key);
  if (value === undefined) throw misplaced(`there is nothing at ${name(path)}.`, member);
  return value;
}

function parentOf(root: Value, path: readonly string[], member: string): List | Dictionary {
  let value: Value | undefined = root;
  for (const [depth, token] of path.slice(0, -1).entries()) {
    if (isList(value))
      value = value[indexIn(value, token, value.length - 1, member, path.slice(0, depth + 1))];
    else value = isDictionary(value) ? value.get(token) : undefined;
    if (value === undefined)
      throw misplaced(`there is nothing at ${name(path.slice(0, depth + 1))}.`, member);
  }
  if (isList(value) || isDictionary(value)) return value;
  throw misplaced(`${name(path.slice(0, -1))} is neither an object nor an array.`, member);
}

/** RFC 6901 §4: digits without leading zeros. */
function indexIn(list: List, token: string, last: number, member: string, path: readonly string[]): number {
  const index = /^(?:0|[1-9]\d{0,15})$/.test(token) ? Number(token) : -1;
  if (index >= 0 && index <= last) return index;
  throw misplaced(
    `${name(path)} is not an index of that array, which has ${counted(list.length, "item")}.`,
    member,
  );
}

/** Copies recursively. Parsed values limit the depth; deeper nesting made by a patch is refused. */
function copy(state: State, value: Value, depth = 0): Value {
  if (!isList(value) && !isDictionary(value)) return value;
  state.copied += isList(value) ? value.length + 1 : value.size + 1;
  if (state.copied > maxCopied || depth > 2000)
    throw misplaced("the copies of this patch make too many values.", "from");
  if (isList(value)) return value.map((item) => copy(state, item, depth + 1));
  return new Map(Array.from(value, ([key, member]) => [key, copy(state, member, depth + 1)]));
}

const name = (path: readonly string[]): string => {
  const pointer = toShortPointer(path);
  return JSON.stringify(pointer.length > 200 ? `${pointer.slice(0, 200)}…` : pointer);
};
