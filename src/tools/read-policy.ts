import { nearest } from "../lib/nearest.ts";
import { type Engine, type Expression, maxExpression, type Scope } from "../lib/cel/engine.ts";
import { isDictionary, isList, type Value } from "../lib/data/value.ts";
import { DocumentFault, OptionFault } from "../lib/fault.ts";
import { toPointer } from "../lib/json/pointer.ts";
import { parseQuery } from "../lib/jsonpath/parse.ts";
import type { Position } from "../lib/json/position.ts";
import { placesOf } from "../lib/places.ts";
import { textPlace } from "../lib/yaml/text-place.ts";
import { openDocument, type ReadDocument } from "./document.ts";
import { refusing } from "./refusing.ts";

export interface Policy {
  rules: Rule[];
  variables: { name: string; expression: Compiled }[];
}

export interface Rule {
  id: string;
  expression: Compiled;
  message: string | undefined;
  messageExpression: Compiled | undefined;
  severity: "error" | "warning";
  match: Compiled | undefined;
  /** JSONPath. */
  each: string | undefined;
}

export interface Compiled {
  text: string;
  run: Expression;
  /** Returns the line and column in the policy of an index in the expression. */
  locate(index: number): Position;
}

/** Most rules, and most variables, of a policy. */
const maxItems = 500;
const maxMessage = 1000;
const fields = {
  policy: ["rules", "variables"],
  rule: ["id", "expression", "message", "messageExpression", "severity", "match", "each"],
  variable: ["name", "expression"],
};
const scope: Scope = { names: ["document", "self", "path"], variables: [] };

/**
 * Reads a policy in YAML or JSON, and compiles its expressions.
 * @throws ToolError invalid_document with the rule's id, and line and column in the policy
 */
export async function readPolicy(text: string, engine: Engine): Promise<Policy> {
  const format = /^\s*\{/.test(text) ? "json" : "yaml";
  const document = await openDocument(text, format, { field: "policy" });
  return refusing(text, () => toPolicy(text, document, engine), "policy");
}

function toPolicy(text: string, document: ReadDocument, engine: Engine): Policy {
  const indexOf = createIndex(text, document);
  const fail = (path: Path, message: string, subject = ""): never => {
    throw new DocumentFault(`${subject}${message}`, { index: indexOf(path) });
  };
  const membersOf = (path: Path, value: Value, kind: keyof typeof fields): ReadonlyMap<string, Value> => {
    if (!isDictionary(value)) return fail(path, `Expected an object with ${fields[kind].join(", ")}.`);
    for (const key of value.keys()) {
      if (fields[kind].includes(key)) continue;
      const near = nearest(key, fields[kind]);
      const advice =
        near === undefined ? `; known are ${fields[kind].join(", ")}` : `; did you mean ${near}?`;
      fail([...path, key], `A ${kind} has no ${JSON.stringify(key.slice(0, 64))}${advice}${near ? "" : "."}`);
    }
    return value;
  };
  const listAt = (policy: ReadonlyMap<string, Value>, name: string): readonly Value[] => {
    const list = policy.get(name) ?? [];
    if (!isList(list)) return fail([name], `${name} must be a list.`);
    if (list.length > maxItems)
      fail([name], `${name} can have at most ${maxItems} items, not ${list.length}.`);
    return list;
  };
  const textAt = (path: Path, value: Value | undefined, most: number, subject = ""): string => {
    const name = String(path.at(-1));
    if (value === undefined) return fail(path.slice(0, -1), `${name} is missing.`, subject);
    if (typeof value !== "string") return fail(path, `${name} must be a string.`, subject);
    if (value.trim() === "") return fail(path, `${name} is empty.`, subject);
    if (value.length > most)
      fail(path, `${name} can have at most ${most} characters, not ${value.length}.`, subject);
    return value;
  };
  const compile = (path: Path, value: Value | undefined, within: Scope, subject: string): Compiled => {
    const written = textAt(path, value, maxExpression, subject);
    const placeOf = (index: number): number => textPlace(text, indexOf(path), written, index);
    try {
      const run = engine.compile(written, within);
      indexOf.expect(path);
      const known = new Map<number, Position>();
      const locate = (index: number): Position => {
        const place = known.get(index) ?? placesOf(text, [{ index: placeOf(index) }])[0];
        if (place === undefined) throw new Error("each index has a place");
        known.set(index, place);
        return place;
      };
      return { text: written, run, locate };
    } catch (error) {
      if (!(error instanceof OptionFault)) throw error;
      const message = `${subject}${path.at(-1)} is no valid CEL: ${error.message.replace(/\.$/, "")}.`;
      throw new DocumentFault(message, { index: placeOf(error.index ?? 0) });
    }
  };

  const policy = membersOf([], document.value, "policy");
  const variables: Policy["variables"] = [];
  const names: string[] = [];
  const within = (): Scope => ({ names: [...scope.names, "variables"], variables: [...names] });
  for (const [at, value] of listAt(policy, "variables").entries()) {
    const path = ["variables", at];
    const variable = membersOf(path, value, "variable");
    const name = textAt([...path, "name"], variable.get("name"), 64);
    if (!/^[A-Za-z_]\w*$/.test(name)) fail([...path, "name"], "name must be an identifier, such as images.");
    if (names.includes(name)) fail([...path, "name"], `The variable ${name} is defined twice.`);
    const place = [...path, "expression"];
    const expression = compile(place, variable.get("expression"), within(), `Variable ${name}: `);
    variables.push({ name, expression });
    names.push(name);
  }

  const ids = new Set<string>();
  const all = within();
  const toRule = (value: Value, at: number): Rule => {
    const path = ["rules", at];
    const rule = membersOf(path, value, "rule");
    const id = textAt([...path, "id"], rule.get("id"), 64);
    const subject = `Rule ${id}: `;
    if (!/^[A-Za-z\d][\w.-]*$/.test(id))
      fail([...path, "id"], "id must have letters, digits, hyphens, dots and underscores alone.");
    if (ids.has(id)) fail([...path, "id"], `The rule ${id} is defined twice.`);
    if (reserved.has(id)) fail([...path, "id"], `${id} is the name of findings of policy-checker itself.`);
    ids.add(id);
    const severity = rule.get("severity") ?? "error";
    if (severity !== "error" && severity !== "warning")
      return fail([...path, "severity"], "severity must be error or warning.", subject);
    const compiled = (name: string): Compiled => compile([...path, name], rule.get(name), all, subject);
    const optional = (name: string, most: number): string | undefined =>
      rule.has(name) ? textAt([...path, name], rule.get(name), most, subject) : undefined;
    const each = optional("each", maxExpression);
    if (each !== undefined) checkEach(each, (message) => fail([...path, "each"], message, subject));
    return {
      id,
      severity,
      each,
      expression: compiled("expression"),
      message: optional("message", maxMessage),
      messageExpression: rule.has("messageExpression") ? compiled("messageExpression") : undefined,
      match: rule.has("match") ? compiled("match") : undefined,
    };
  };
  const given = listAt(policy, "rules");
  if (given.length === 0) fail([], "The policy has no rules.");
  return { variables, rules: given.map(toRule) };
}

/** Returns a look-up of the indexes of values; it reads the policy once for all paths that it expects. */
function createIndex(
  text: string,
  document: ReadDocument,
): ((path: Path) => number) & { expect(path: Path): void } {
  const expected: string[] = [];
  const known = new Map<string, number>();
  const indexOf = (path: Path): number => {
    const wanted = toPointer(path);
    const before = known.get(wanted);
    if (before !== undefined) return before;
    const bytes = Buffer.from(text);
    const found = document.locate([...expected, wanted].map((one) => ({ pointer: one })));
    let [index, at] = [0, 0];
    for (const { pointer, offset } of found.toSorted((a, b) => a.offset - b.offset)) {
      index += bytes.toString("utf8", at, offset).length;
      at = offset;
      known.set(pointer, index);
    }
    return known.get(wanted) as number;
  };
  return Object.assign(indexOf, { expect: (path: Path) => void expected.push(toPointer(path)) });
}

type Path = readonly (string | number)[];

/** Rules of findings that are not those of the policy. */
const reserved = new Set(["syntax", "number-range", "cel-error", "cel-limit", "byte-order-mark"]);

function checkEach(each: string, fail: (message: string) => void): void {
  try {
    parseQuery(each);
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    fail(`each is no valid JSONPath: ${error.message.replace(/\.$/, "")}.`);
  }
}
