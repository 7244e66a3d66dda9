import { isDictionary, isList, type Value } from "../data/value.ts";
import { type At, child, quote, type ReportAt } from "../kubernetes/at.ts";
import { joinWords } from "../join-words.ts";
import { nearest } from "../nearest.ts";
import type { Kind, Schema } from "./schema-parts.ts";

export interface WalkOptions {
  report: ReportAt;
  /** Whether no further error would be reported. */
  isFull(): boolean;
  /** A text with its variables replaced, undefined if it is not known. */
  resolve(text: string): string | undefined;
}

/** The form that a text of each kind must have, in words, and its test. Texts are bounded by the patterns that end early. */
const kinds: Readonly<Record<Kind, { words: string; is(text: string): boolean }>> = {
  boolean: { words: "true or false", is: (text) => /^(?:true|false|yes|no|on|off|y|n|1|0)$/i.test(text) },
  integer: {
    words: "a whole number",
    is: (text) => /^[-+]?(?:\d{1,19}|0[xX][\da-fA-F]{1,16}|0[oO][0-7]{1,22})$/.test(text),
  },
  number: { words: "a number", is: (text) => /^[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20}|0[oO][0-7]{1,22})(?:[eE][-+]?\d{1,3})?$/.test(text) }, // prettier-ignore
  bytes: {
    words: "a size, such as 512m or 1.5gb",
    is: (text) => /^(?:-1|\d{1,20}(?:\.\d{1,20})?\s?(?:[kmgtp]i?b?|b)?)$/i.test(text),
  },
  duration: {
    words: "a duration, such as 30s or 1m30s",
    is: (text) => text.length <= 64 && /^(?:0|-?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h|d|w))+)$/.test(text),
  },
};

/** Keys that earlier forms of the file had, or that belong elsewhere, and what to write instead. */
const moved: Readonly<Record<string, string>> = {
  env: "Write environment.",
  envfile: "Write env_file.",
  dockerfile: "It belongs into build.",
  args: "It belongs into build.",
  replicas: "It belongs into deploy.",
  resources: "It belongs into deploy.",
  limits: "It belongs into deploy.resources.",
  service: "Write services at the top of the file.",
  volume_driver: "It was removed; write driver in the volume.",
  net: "It was removed; write network_mode.",
  log_driver: "It was removed; write logging.driver.",
  log_opt: "It was removed; write logging.options.",
};

/**
 * Reports keys that the schema lacks, with the nearest one, and texts that are not of their kind. Types are those of the validator of
 * JSON Schema. Recursive: parsers limit documents to 512 levels.
 */
export function walk(root: At, schema: Schema, { report, isFull, resolve }: WalkOptions): void {
  visit(root, schema, "");

  function visit(at: At, part: Schema, name: string): void {
    const value = at.value ?? null;
    if (isFull()) return;
    if (typeof value === "string") checkKind(at, value, part["kind"] as Kind | undefined, name);
    else if (isList(value)) {
      const items = part["items"] as Schema | undefined;
      if (items === undefined || !allows(part, "array")) return;
      for (const [index, item] of value.entries())
        visit({ value: item, pointer: `${at.pointer}/${index}` }, items, name);
    } else if (isDictionary(value) && allows(part, "object")) {
      for (const key of value.keys()) visitMember(at, part, key, name);
    }
  }

  function visitMember(at: At, part: Schema, key: string, name: string): void {
    if (isFull()) return;
    const member = child(at, key);
    const properties = (part["properties"] ?? {}) as Record<string, Schema>;
    if (Object.hasOwn(properties, key)) return visit(member, properties[key] as Schema, key);
    const patterns = Object.entries((part["patternProperties"] ?? {}) as Record<string, Schema | true>);
    const found = patterns.find(([pattern]) => new RegExp(pattern).test(key))?.[1];
    if (found !== undefined)
      return found === true ? undefined : visit(member, found, `a ${name.replace(/s$/, "")}`);
    const more = part["additionalProperties"];
    if (typeof more === "object") return visit(member, more as Schema, key);
    if (more !== false) return;
    if (part["properties"] === undefined)
      return report("name", member, `${quote(key)} is no name; it has letters, digits, _, . and - only.`);
    reportUnknown(member, key, Object.keys(properties), name);
  }

  function reportUnknown(at: At, key: string, known: readonly string[], name: string): void {
    const near = nearest(key, known);
    const advice =
      near !== undefined
        ? ` Did you mean ${near}?`
        : Object.hasOwn(moved, key)
          ? ` ${moved[key]}`
          : known.length <= 8
            ? ` Its keys are ${joinWords(known, "and")}.`
            : " Begin the name of an extension with x-.";
    report(
      "unknown-key",
      at,
      `${quote(key)} is no key ${name === "" ? "of a Compose file" : `of ${shorten(name)}`}.${advice}`,
    );
  }

  function checkKind(at: At, value: string, kind: Kind | undefined, name: string): void {
    const text = kind === undefined ? undefined : resolve(value);
    if (kind === undefined || text === undefined || text === "" || kinds[kind].is(text)) return;
    report("value", at, `${shorten(name)} must be ${kinds[kind].words}, not ${quote(text)}.`);
  }
}

const allows = (part: Schema, type: string): boolean =>
  part["type"] === undefined || [part["type"]].flat().includes(type);

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Calls `visit` with every text of a value, the names of members excluded. Recursive, as above. */
export function visitTexts(at: At, visit: (at: At, text: string) => void): void {
  const value: Value = at.value ?? null;
  if (typeof value === "string") visit(at, value);
  else if (isList(value))
    for (const [index, item] of value.entries())
      visitTexts({ value: item, pointer: `${at.pointer}/${index}` }, visit);
  else if (isDictionary(value)) for (const key of value.keys()) visitTexts(child(at, key), visit);
}
