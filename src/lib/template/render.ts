import { DocumentFault } from "../fault.ts";
import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import type { Node } from "./mustache.ts";

export interface RenderOptions {
  /** Whether a variable without a value is an error, empty, or kept as its tag. */
  missing: "error" | "empty" | "keep";
  template: string;
  /** Escapes the value of {{name}}. */
  escape(text: string): string;
}

/** Most tags rendered: nested sections over lists multiply work and result. */
const maxSteps = 2_000_000;
const maxUnits = 64 * 1024 * 1024;

/** @throws DocumentFault with the place of the tag in the template. */
export function render(
  nodes: readonly Node[],
  root: Value,
  { missing, template, escape }: RenderOptions,
): string {
  const parts: string[] = [];
  const stack: Value[] = [root];
  let steps = 0;
  let units = 0;

  const write = (text: string, index: number): void => {
    parts.push(text);
    units += text.length;
    if (units > maxUnits)
      throw new DocumentFault(`The result exceeds ${maxUnits} characters here.`, { index });
  };

  function renderAll(children: readonly Node[], index: number): void {
    for (const node of children) {
      if (++steps > maxSteps)
        throw new DocumentFault(`This section repeats too often: ${maxSteps} tags are the limit.`, { index });
      if (node.kind === "text") write(node.text, index);
      else if (node.kind === "section") renderSection(node);
      else {
        const value = find(stack, node.name);
        if (value === undefined && missing === "error") {
          throw new DocumentFault(
            `${node.name.join(".")} has no value; add it to variables, or set missing to empty or keep.`,
            { index: node.index },
          );
        }
        if (value === undefined && missing === "keep") {
          write(template.slice(node.index, node.end), node.index);
          continue;
        }
        const text = toText(value ?? null, node.name, node.index);
        write(node.escape ? escape(text) : text, node.index);
      }
    }
  }

  function renderSection({ name, inverted, nodes: children, index }: Node & { kind: "section" }): void {
    const value = find(stack, name);
    if (inverted) {
      if (!isTrue(value)) renderAll(children, index);
      return;
    }
    if (!isTrue(value)) return;
    for (const item of isList(value as Value) ? (value as Value[]) : [value as Value]) {
      if (++steps > maxSteps)
        throw new DocumentFault(`This section repeats too often: ${maxSteps} tags are the limit.`, { index });
      stack.push(item);
      renderAll(children, index);
      stack.pop();
    }
  }

  renderAll(nodes, 0);
  return parts.join("");
}

/** Looks up the first step from the innermost value outwards, the others only in the previous result. */
function find(stack: readonly Value[], [first, ...rest]: readonly string[]): Value | undefined {
  if (first === undefined) return stack.at(-1);
  for (let at = stack.length - 1; at >= 0; at--) {
    let value = step(stack[at] as Value, first);
    if (value === undefined) continue;
    for (const name of rest) value = value === undefined ? undefined : step(value, name);
    return value;
  }
  return undefined;
}

/**
 * Resolves keys of objects and indexes of lists only; other properties, such as `length` and `constructor`,
 * do not exist.
 */
function step(value: Value, name: string): Value | undefined {
  if (isDictionary(value)) return value.get(name);
  return isList(value) && /^(?:0|[1-9]\d{0,8})$/.test(name) ? value[Number(name)] : undefined;
}

/** Truthiness as in JavaScript, except that an empty list is false. */
function isTrue(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  if (isList(value)) return value.length > 0;
  return !isLiteral(value) || Number(value.text) !== 0;
}

/** Returns the text of a scalar, numbers as written in the document. */
export function toText(value: Value, name: readonly string[], index: number): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (isLiteral(value)) return value.text;
  const kind = isList(value) ? "a list" : "an object";
  throw new DocumentFault(
    `${name.join(".") || "This value"} is ${kind}; name one of its values, or use a section.`,
    { index },
  );
}
