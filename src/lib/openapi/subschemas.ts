import { escapeToken } from "../json/pointer.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import type { Place } from "./walk.ts";

/** Members that are examples or constants, in which nothing is a schema. */
const plain = ["default", "enum", "const", "example", "examples"];
/** Members whose keys are names chosen by the author, `default` included. */
const named = ["properties", "patternProperties", "$defs", "dependentSchemas"];

/** From 3.1 on a schema is JSON Schema: yields it and the objects in it, with their pointers. None is yielded for an example. */
export function* subschemasOf({ value, pointer }: Place): Generator<[Dictionary, string]> {
  const waiting: [Value, string][] = [[value, pointer]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, here] = next;
    if (isList(part)) for (const [index, item] of part.entries()) waiting.push([item, `${here}/${index}`]);
    if (!isDictionary(part)) continue;
    yield [part, here];
    for (const [key, member] of part) {
      if (plain.includes(key)) continue;
      if (named.includes(key) && isDictionary(member)) {
        for (const [name, schema] of member) waiting.push([schema, `${here}/${key}/${escapeToken(name)}`]);
        continue;
      }
      if (key !== "$ref" || typeof member !== "string") waiting.push([member, `${here}/${escapeToken(key)}`]);
    }
  }
}
