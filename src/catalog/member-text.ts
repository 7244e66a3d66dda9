import { membersOf } from "../lib/json/members.ts";
import { toText } from "./text.ts";

/** Returns the text of a member of a valid body that is an object; of duplicates the last, like `JSON.parse`. */
export function textOfMember(bytes: Uint8Array, name: string): string {
  const found = membersOf(bytes, bytes.indexOf(0x7b)).findLast(({ key }) => key === name);
  return found === undefined
    ? ""
    : toText(bytes.subarray(found.from, found.to), "bad_json", "The request body");
}

/** Returns the texts of those named members that the object has, in one pass. */
export function textsOfMembers(bytes: Uint8Array, names: ReadonlySet<string>): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { key, from, to } of membersOf(bytes, bytes.indexOf(0x7b)))
    if (names.has(key)) texts.set(key, toText(bytes.subarray(from, to), "bad_json", "The request body"));
  return texts;
}
