import { membersOf } from "../lib/json/members.ts";
import { toText } from "./text.ts";

/** The text of a member of the object that a valid body is, of equal ones the last as `JSON.parse` has it. */
export function textOfMember(bytes: Uint8Array, name: string): string {
  const found = membersOf(bytes, bytes.indexOf(0x7b)).findLast(({ key }) => key === name);
  return found === undefined
    ? ""
    : toText(bytes.subarray(found.from, found.to), "bad_json", "The request body");
}

/** The same of many members in one look, by name; of those that the object has. */
export function textsOfMembers(bytes: Uint8Array, names: ReadonlySet<string>): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { key, from, to } of membersOf(bytes, bytes.indexOf(0x7b)))
    if (names.has(key)) texts.set(key, toText(bytes.subarray(from, to), "bad_json", "The request body"));
  return texts;
}
