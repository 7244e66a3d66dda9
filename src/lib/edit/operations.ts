import { valueAt } from "../data/at-pointer.ts";
import { scalarText } from "../data/flatten.ts";
import { type Dictionary, isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { OptionFault } from "../fault.ts";
import type { ParsedEdit, PathStep } from "./parse-edit.ts";

/** The keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** A change of one value. All but the last part of what it names exist. */
export type Operation =
  | { readonly kind: "replace"; readonly path: Path; readonly value: Value }
  /** Adds a member to the object at `path`. */
  | { readonly kind: "insert"; readonly path: Path; readonly key: string; readonly value: Value }
  /** Adds an item at the end of the list at `path`. */
  | { readonly kind: "append"; readonly path: Path; readonly value: Value }
  | { readonly kind: "remove"; readonly path: Path };

/** The treatment of a path that leads to nothing: it is made (and nothing is removed), refused, or skipped. */
export type Missing = "create" | "error" | "ignore";

/**
 * Returns the operations of an edit on a document, in the order of its paths.
 * @throws OptionFault if the path does not fit the document
 */
export function toOperations(root: Value, edit: ParsedEdit, value: Value, missing: Missing): Operation[] {
  let open: Reached[] = [{ path: [], value: root, rest: [] }];
  for (const [at, step] of edit.path.entries()) {
    const next = open.flatMap((one) => enter(one, step));
    if (next.length === 0 && open.length > 0 && missing === "error")
      throw new OptionFault(`${nameOf(edit.path.slice(0, at + 1))} leads to nothing in the document`);
    open = next;
  }
  return open.flatMap((reached): Operation[] => {
    const isThere = reached.value !== undefined;
    if (!isThere && missing === "error")
      throw new OptionFault(`${nameOf(edit.path)} leads to nothing in the document`);
    if (!isThere && (missing === "ignore" || edit.kind === "remove")) return [];
    if (edit.kind === "remove") return [{ kind: "remove", path: reached.path }];
    if (edit.kind === "set")
      return isThere ? [{ kind: "replace", path: reached.path, value }] : make(root, reached, value);
    if (reached.value === null) return [{ kind: "replace", path: reached.path, value: [value] }];
    if (!isThere) return make(root, reached, [value]);
    if (isList(reached.value as Value)) return [{ kind: "append", path: reached.path, value }];
    throw new OptionFault(
      `${nameOf(edit.path)} is ${kindOf(reached.value as Value)}, and items can be added to lists only`,
    );
  });
}

/** Returns the document after operations, made one after another; the values beside their paths are shared. */
export function operate(root: Value, operations: readonly Operation[]): Value {
  /** Containers that are copies, so that each is copied once for all operations. */
  const copies = new Set<Value>();
  const copyOf = <T extends Value>(value: T, copy: (value: T) => T): T => {
    if (copies.has(value)) return value;
    const made = copy(value);
    copies.add(made);
    return made;
  };
  const inside = (value: Value, operation: Operation, depth: number): Value => {
    const { path, kind } = operation;
    const step = path[depth];
    if (step === undefined && kind !== "insert" && kind !== "append")
      return kind === "replace" ? operation.value : value;
    const isRemoval = kind === "remove" && depth === path.length - 1;
    if (isList(value)) {
      const list = copyOf(value, (one) => [...one]) as Value[];
      const at = step as number;
      if (step === undefined) list.push((operation as Operation & { kind: "append" }).value);
      else if (isRemoval) list.splice(at, 1);
      else list[at] = inside(list[at] as Value, operation, depth + 1);
      return list;
    }
    const members = copyOf(value as Dictionary, (one) => new Map(one)) as Map<string, Value>;
    const key = step as string;
    if (step === undefined) {
      const { key: added, value: of } = operation as Operation & { kind: "insert" };
      members.set(added, of);
    } else if (isRemoval) members.delete(key);
    else members.set(key, inside(members.get(key) as Value, operation, depth + 1));
    return members;
  };
  return operations.reduce((value, operation) => inside(value, operation, 0), root);
}

interface Reached {
  readonly path: Path;
  /** Undefined where the document has nothing. */
  readonly value: Value | undefined;
  /** The steps that are missing; the first of them in a container that exists, or in null. */
  readonly rest: readonly (string | number)[];
}

function enter({ path, value, rest }: Reached, step: PathStep): Reached[] {
  if (value === undefined || value === null) {
    if ("key" in step) return [{ path, value: undefined, rest: [...rest, step.key] }];
    if ("index" in step && step.index === 0) return [{ path, value: undefined, rest: [...rest, 0] }];
    return [];
  }
  if (isList(value)) return enterList(path, value, step);
  if (!isDictionary(value))
    throw new OptionFault(`${nameOf(path)} is ${kindOf(value)}, and nothing can be in it`);
  if (!("key" in step)) throw new OptionFault(`${nameOf(path)} is an object, which has keys and no items`);
  const found = value.get(step.key);
  if (found === undefined) return [{ path, value: undefined, rest: [step.key] }];
  return [{ path: [...path, step.key], value: found, rest: [] }];
}

function enterList(path: Path, list: readonly Value[], step: PathStep): Reached[] {
  const all = list.map((value, at): Reached => ({ path: [...path, at], value, rest: [] }));
  if ("every" in step) return all;
  if ("member" in step)
    return all.filter(({ value }) => {
      const found = isDictionary(value as Value) ? (value as Dictionary).get(step.member) : undefined;
      if (found === undefined || isList(found) || isDictionary(found)) return false;
      return (found === null ? "null" : scalarText(found)) === step.equals;
    });
  const isIndex = "index" in step || /^(?:0|[1-9]\d{0,8})$/.test(step.key);
  if (!isIndex)
    throw new OptionFault(
      `${nameOf(path)} is a list, which has items and no key ${JSON.stringify(step.key)}`,
    );
  const given = "index" in step ? step.index : Number(step.key);
  const at = given < 0 ? list.length + given : given;
  const found = all[at];
  if (found !== undefined) return [found];
  if (at === list.length) return [{ path, value: undefined, rest: [at] }];
  throw new OptionFault(`${nameOf(path)} has ${list.length} items, and none at ${given}`);
}

/** Makes what is missing around a value, from the inside. */
function make(root: Value, { path, rest }: Reached, value: Value): Operation[] {
  const isNull = valueAt(root, path.map(String)) === null;
  let made = value;
  for (const step of rest.slice(isNull ? 0 : 1).toReversed())
    made = typeof step === "number" ? [made] : new Map([[step, made]]);
  if (isNull) return [{ kind: "replace", path, value: made }];
  const [first] = rest;
  if (typeof first === "number") return [{ kind: "append", path, value: made }];
  return [{ kind: "insert", path, key: first as string, value: made }];
}

/** Writes a path as edits do, shortened. */
function nameOf(path: readonly (PathStep | string | number)[]): string {
  const name = path
    .map((step) => {
      if (typeof step === "number") return `[${step}]`;
      if (typeof step === "string") return `.${step}`;
      if ("key" in step) return `.${step.key}`;
      if ("index" in step) return `[${step.index}]`;
      return "every" in step ? "[]" : `[${step.member}=${step.equals}]`;
    })
    .join("")
    .replace(/^\./, "");
  if (name === "") return "The document";
  return name.length > 80 ? `${name.slice(0, 80)}…` : name;
}

function kindOf(value: Value): string {
  if (value === null) return "null";
  if (isList(value)) return "a list";
  if (isDictionary(value)) return "an object";
  // YAML: where the document names an anchor, nothing of its value is.
  if (isLiteral(value) && value.text.startsWith("*")) return `the alias ${value.text.slice(0, 40)}`;
  if (typeof value === "object") return value.kind === "number" ? "a number" : "a date or time";
  return typeof value === "string" ? "a text" : "a boolean";
}
