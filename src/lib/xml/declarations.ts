import { DocumentFault } from "../fault.ts";
import { endOfNameToken } from "./chars.ts";
import {
  type Cursor,
  declaredName,
  expect,
  failExpected,
  name,
  optionalSpace,
  quoted,
  sees,
  space,
  takes,
} from "./cursor.ts";
import { externalId } from "./external-id.ts";
import { fail } from "./fault.ts";
import { readReference } from "./references.ts";
import type { Entity, Subset } from "./subset.ts";
import { checkAttributeValue } from "./tag.ts";

/** Production 45, after `<!ELEMENT`. */
export function element(cursor: Cursor, { onName }: Subset): void {
  space(cursor);
  declaredName(cursor, onName, true);
  space(cursor);
  if (!takes(cursor, "EMPTY") && !takes(cursor, "ANY")) contentModel(cursor);
  end(cursor);
}

/** Productions 47 to 51. Nesting costs a list entry, not a stack frame. */
function contentModel(cursor: Cursor): void {
  expect(cursor, "(");
  optionalSpace(cursor);
  if (takes(cursor, "#PCDATA")) return mixed(cursor);
  /** The separator of each open group, "" before the first one. */
  const open: string[] = [""];
  for (;;) {
    optionalSpace(cursor);
    if (takes(cursor, "(")) {
      open.push("");
      continue;
    }
    name(cursor);
    occurrence(cursor);
    while (closes(cursor, open)) {
      if (open.length === 0) return;
    }
  }
}

/** Skips what may follow a particle; returns whether that closed its group. */
function closes(cursor: Cursor, open: string[]): boolean {
  optionalSpace(cursor);
  if (takes(cursor, ")")) {
    open.pop();
    occurrence(cursor);
    return true;
  }
  const here = sees(cursor, "|") ? "|" : ",";
  const before = open.at(-1);
  if (before !== "" && before !== here) failExpected(cursor, `'${before}' or ')'`);
  expect(cursor, here);
  open[open.length - 1] = here;
  return false;
}

function occurrence(cursor: Cursor): void {
  if (!takes(cursor, "?") && !takes(cursor, "*")) takes(cursor, "+");
}

function mixed(cursor: Cursor): void {
  let names = 0;
  for (;;) {
    optionalSpace(cursor);
    if (takes(cursor, ")")) break;
    expect(cursor, "|");
    optionalSpace(cursor);
    name(cursor);
    names++;
  }
  if (names > 0) expect(cursor, "*");
  else takes(cursor, "*");
}

const types = ["CDATA", "IDREFS", "IDREF", "ID", "ENTITY", "ENTITIES", "NMTOKENS", "NMTOKEN"];

/** Production 52, after `<!ATTLIST`. */
export function attributeList(cursor: Cursor, subset: Subset): void {
  space(cursor);
  declaredName(cursor, subset.onName, true);
  for (;;) {
    const { at } = cursor;
    optionalSpace(cursor);
    if (takes(cursor, ">")) return;
    cursor.at = at;
    space(cursor);
    declaredName(cursor, subset.onName, true);
    space(cursor);
    if (takes(cursor, "NOTATION")) {
      space(cursor);
      enumeration(cursor, true);
    } else if (sees(cursor, "(")) enumeration(cursor, false);
    else if (!types.some((type) => takes(cursor, type))) failExpected(cursor, "the type of an attribute");
    space(cursor);
    if (takes(cursor, "#REQUIRED") || takes(cursor, "#IMPLIED")) continue;
    if (takes(cursor, "#FIXED")) space(cursor);
    const from = cursor.at;
    checkAttributeValue(quoted(cursor, "a default value"), from + 1, {
      onReference: (called, place) => refuse(subset.check(called, true), place),
    });
  }
}

function enumeration(cursor: Cursor, names: boolean): void {
  expect(cursor, "(");
  do {
    optionalSpace(cursor);
    if (names) name(cursor);
    else {
      const to = endOfNameToken(cursor.text, cursor.at);
      if (to === cursor.at) failExpected(cursor, "a value");
      cursor.at = to;
    }
    optionalSpace(cursor);
  } while (takes(cursor, "|"));
  expect(cursor, ")");
}

/** Production 70, after `<!ENTITY`. */
export function entity(cursor: Cursor, subset: Subset): void {
  space(cursor);
  const parameter = takes(cursor, "%");
  if (parameter) space(cursor);
  const called = declaredName(cursor, subset.onName, false);
  space(cursor);
  let declared: Entity = { unparsed: false };
  if (sees(cursor, "SYSTEM") || sees(cursor, "PUBLIC")) {
    externalId(cursor);
    const { at } = cursor;
    optionalSpace(cursor);
    if (sees(cursor, "NDATA")) {
      if (parameter) failExpected(cursor, "'>'");
      cursor.at = at;
      space(cursor);
      expect(cursor, "NDATA");
      space(cursor);
      name(cursor);
      declared = { unparsed: true };
    }
  } else {
    const from = cursor.at;
    declared = { unparsed: false, text: replacementText(quoted(cursor, "a value"), from + 1) };
  }
  end(cursor);
  const known = parameter ? subset.parameters : subset.entities;
  // The first of several declarations is binding (§4.2).
  if (!known.has(called)) known.set(called, declared);
}

/** Production 9. Parameter entities are not allowed here (§2.8); other references stay unexpanded. */
function replacementText(value: string, base: number): string {
  const percent = value.indexOf("%");
  if (percent >= 0)
    fail("'%' is not allowed in the value of an entity here; write &#37;.", base + percent, "entity");
  let text = "";
  let from = 0;
  for (let amp = value.indexOf("&"); amp >= 0; amp = value.indexOf("&", from)) {
    const found = referenceAt(value, amp, base);
    text += value.slice(from, amp) + (found.name === undefined ? found.text : value.slice(amp, found.to));
    from = found.to;
  }
  return text + value.slice(from);
}

function referenceAt(value: string, at: number, base: number): ReturnType<typeof readReference> {
  try {
    return readReference(value, at);
  } catch (error) {
    if (error instanceof DocumentFault) fail(error.message, base + at, "reference");
    throw error;
  }
}

/** Production 82, after `<!NOTATION`. */
export function notation(cursor: Cursor, { onName }: Subset): void {
  space(cursor);
  declaredName(cursor, onName, false);
  space(cursor);
  externalId(cursor, true);
  end(cursor);
}

function end(cursor: Cursor): void {
  optionalSpace(cursor);
  expect(cursor, ">");
}

function refuse(message: string | undefined, at: number): void {
  if (message !== undefined) fail(message, at, "entity");
}
