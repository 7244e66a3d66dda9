import { skipSpace } from "./chars.ts";
import { type Cursor, expect, quoted, space, takes } from "./cursor.ts";
import { fail } from "./fault.ts";

/** Production 75; with `publicOnly` the address may be omitted, as in a notation (production 83). */
export function externalId(cursor: Cursor, publicOnly = false): void {
  if (takes(cursor, "SYSTEM")) {
    space(cursor);
    quoted(cursor, "an address");
    return;
  }
  expect(cursor, "PUBLIC");
  space(cursor);
  const from = cursor.at;
  const id = quoted(cursor, "a public identifier");
  const foreign = id.search(/[^ \r\nA-Za-z\d\-'()+,./:=?;!*#@$_%]/);
  if (foreign >= 0)
    fail(
      "A public identifier may contain only letters, digits, spaces and -'()+,./:=?;!*#@$_%.",
      from + 1 + foreign,
    );
  const { text, at } = cursor;
  const next = skipSpace(text, at);
  if (publicOnly && text[next] !== '"' && text[next] !== "'") return;
  space(cursor);
  quoted(cursor, "an address");
}
