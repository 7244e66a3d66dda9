import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { createBoundedFindings } from "../bounded-findings.ts";
import { toPointer } from "../json/pointer.ts";
import { isWholeNumber } from "../number/decimal.ts";
import { distanceOf, nearest } from "../nearest.ts";
import type { Choice, ObjectShape, Rest, Shape } from "./shape.ts";

export interface ConfigFinding {
  message: string;
  rule: string;
  severity: "error" | "warning";
  /** RFC 6901. */
  pointer: string;
  /** Whether the place is that of the key, and not that of its value. */
  key?: true;
}

/** Most errors, and most warnings. */
const maxFindings = 100;
/** Most values of a choice that a message lists. */
const maxListed = 12;

/** Finds fields that a file cannot have, and values that are none of a choice. */
export function inspect(root: Value, shape: Shape, unknown: "error" | "warning"): ConfigFinding[] {
  const findings = createBoundedFindings<ConfigFinding>(maxFindings);
  const path: (string | number)[] = [];
  const visit = (value: Value, shapes: readonly Shape[]): void => {
    const fitting = shapes.flatMap(flatten).filter((one) => fits(value, one));
    // Another type is an error of the schema.
    if (fitting.length === 0 || fitting.some(({ kind }) => kind === "any")) return;
    if (isDictionary(value)) return visitObject(value, fitting);
    if (isList(value)) {
      const items = fitting.flatMap((one) => (one.kind === "list" ? [one.of] : []));
      for (const [index, item] of value.entries()) step(index, item, items);
      return;
    }
    // To find the nearest value takes longer than anything else here.
    if (findings.isFull("error")) return;
    const choices = fitting.filter((one): one is Choice => one.kind === "choice");
    if (choices.length < fitting.length || choices.some((one) => isAmong(value, one))) return;
    const values = [...new Set(choices.flatMap((one) => one.values))];
    findings.add({
      message: explain(value, values),
      rule: "enum",
      severity: "error",
      pointer: toPointer(path),
    });
  };
  const step = (key: string | number, value: Value, shapes: readonly Shape[]): void => {
    if (shapes.length === 0) return;
    path.push(key);
    visit(value, shapes);
    path.pop();
  };
  const visitObject = (value: ReadonlyMap<string, Value>, shapes: readonly Shape[]): void => {
    const objects = shapes.filter((one): one is ObjectShape => one.kind === "object");
    const maps = shapes.flatMap((one) => (one.kind === "map" ? [one.of] : []));
    for (const [name, member] of value) {
      const known = [...objects.flatMap((one) => one.fields.get(name) ?? []), ...maps];
      if (known.length > 0) step(name, member, known);
      else reportUnknown(name, objects);
    }
  };
  const reportUnknown = (name: string, objects: readonly ObjectShape[]): void => {
    if (findings.isFull(unknown)) return;
    const rests = objects.map(({ rest }): Rest => rest);
    if (rests.includes("open")) return;
    const names = objects.flatMap(({ fields }) => [...fields.keys()]);
    const isNear = rests.includes("near");
    const near = isNear ? misspelt(name, names) : nearest(name, names);
    if (isNear && near === undefined) return;
    const hint =
      near !== undefined
        ? ` Did you mean ${JSON.stringify(near)}?`
        : names.length <= maxListed
          ? ` Known: ${names.join(", ")}.`
          : "";
    findings.add({
      message: `${quote(name)} is not known here.${hint}`,
      rule: "unknown-key",
      severity: unknown,
      pointer: toPointer([...path, name]),
      key: true,
    });
  };
  visit(root, [shape]);
  return findings.list();
}

/** Returns the alternatives of a shape. Those of the tables are few, and none consists of itself alone. */
function flatten(shape: Shape): readonly Shape[] {
  if (shape.kind === "either") return shape.shapes.flatMap(flatten);
  return shape.kind === "later" ? flatten(shape.get()) : [shape];
}

function fits(value: Value, shape: Shape): boolean {
  switch (shape.kind) {
    case "any":
      return true;
    case "nothing":
      return value === null;
    case "flag":
      return typeof value === "boolean";
    case "text":
    case "matching":
      return typeof value === "string";
    case "list":
      return isList(value);
    case "map":
    case "object":
      return isDictionary(value);
    case "choice":
      return shape.values.some((one) => typeof one === typeOf(value));
    case "number":
      return typeOf(value) === "number";
    case "whole":
      return typeOf(value) === "number" && isWholeNumber(textOf(value));
    default:
      return false;
  }
}

const typeOf = (value: Value): string =>
  isLiteral(value) && value.kind === "number" ? "number" : typeof value;

const textOf = (value: Value): string => (isLiteral(value) ? value.text : "");

function isAmong(value: Value, { values, anyCase }: Choice): boolean {
  if (typeof value === "string" && anyCase)
    return values.some((one) => String(one).toLowerCase() === value.toLowerCase());
  if (isLiteral(value)) return values.some((one) => typeof one === "number" && one === Number(value.text));
  return values.includes(value as string);
}

function explain(value: Value, values: readonly (string | number | boolean)[]): string {
  const shown =
    typeof value === "string" ? quote(value) : isLiteral(value) ? value.text.slice(0, 40) : String(value);
  const texts = values.filter((one) => typeof one === "string");
  const near = typeof value === "string" ? nearest(value, texts) : undefined;
  if (near !== undefined)
    return `${shown} is none of the possible values. Did you mean ${JSON.stringify(near)}?`;
  const rest = values.length - maxListed;
  const listed = values
    .slice(0, maxListed)
    .map((one) => JSON.stringify(one))
    .join(", ");
  return `Must be one of ${listed}${rest > 0 ? ` and ${rest} more` : ""}; got ${shown}.`;
}

/** Returns the field that a name is a misspelling of. Short names, and those of another kind (`x-…`, `//`), are meant as they are. */
function misspelt(name: string, names: readonly string[]): string | undefined {
  if (name.length < 5 || !/^[A-Za-z]/.test(name)) return undefined;
  const near = nearest(name, names);
  if (near === undefined) return undefined;
  const plain = (one: string): string => one.toLowerCase().replaceAll(/[-_]/g, "");
  if (plain(near) === plain(name)) return near;
  // Programs have names of their own beside these, so only a slip of the hand counts.
  return distanceOf(name.toLowerCase(), near.toLowerCase()) === 1 ? near : undefined;
}

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
