import { DocumentFault } from "../fault.ts";
import { skipSpace } from "./chars.ts";
import {
  type Cursor,
  declaredName,
  expect,
  failExpected,
  name,
  optionalSpace,
  sees,
  space,
  takes,
} from "./cursor.ts";
import { attributeList, element, entity, notation } from "./declarations.ts";
import { createEntityCheck } from "./entities.ts";
import { externalId } from "./external-id.ts";
import { fail, shorten } from "./fault.ts";
import { endOfComment, readInstruction } from "./lex.ts";
import type { Entity, EntityCheck, OnName, Subset } from "./subset.ts";

export interface Dtd {
  readonly entities: ReadonlyMap<string, Entity>;
  /** Whether every declaration was read: none is outside the document or after a parameter entity. */
  complete: boolean;
  readonly check: EntityCheck;
  /** The index after the `>`. */
  readonly to: number;
}

/**
 * Reads a DOCTYPE (production 28) and checks every declaration of its internal subset. Nothing is fetched,
 * and no entity is expanded: the replacement text of `&a;` is checked once, however often it occurs.
 */
export function readDoctype(text: string, at: number, standalone: boolean, onName?: OnName): Dtd {
  const cursor = { text, at };
  expect(cursor, "<!DOCTYPE");
  space(cursor);
  declaredName(cursor, onName, true);
  const entities = new Map<string, Entity>();
  const subset: Subset = {
    entities,
    parameters: new Map(),
    complete: true,
    met: new Map(),
    check: createEntityCheck(entities, () => subset.complete || standalone),
    ...(onName && { onName }),
  };
  if (
    text.charCodeAt(skipSpace(text, cursor.at)) !== 0x5b &&
    !/^\s*>/.test(text.slice(cursor.at, cursor.at + 64))
  ) {
    space(cursor);
    if (sees(cursor, "SYSTEM") || sees(cursor, "PUBLIC")) {
      externalId(cursor);
      subset.complete = false;
    }
  }
  optionalSpace(cursor);
  if (takes(cursor, "[")) {
    readSubset(cursor, subset, "]");
    expect(cursor, "]");
    optionalSpace(cursor);
  }
  expect(cursor, ">");
  return { entities, complete: subset.complete, check: subset.check, to: cursor.at };
}

/** Reads declarations up to `end`, or to the end of the text if that is "". */
function readSubset(cursor: Cursor, subset: Subset, end: "]" | ""): void {
  for (;;) {
    optionalSpace(cursor);
    if (end === "" ? cursor.at >= cursor.text.length : sees(cursor, end)) return;
    if (cursor.at >= cursor.text.length)
      fail("The DOCTYPE is not closed; it ends with ']>'.", cursor.at, "truncated");
    const { text, at } = cursor;
    if (sees(cursor, "%")) parameterReference(cursor, subset);
    else if (sees(cursor, "<!--")) cursor.at = endOfComment(text, at);
    else if (sees(cursor, "<?")) {
      const instruction = readInstruction(text, at);
      subset.onName?.(instruction.name, at, false);
      cursor.at = instruction.to;
    } else if (takes(cursor, "<!ELEMENT")) element(cursor, subset);
    else if (takes(cursor, "<!ATTLIST")) attributeList(cursor, subset);
    else if (takes(cursor, "<!ENTITY")) entity(cursor, subset);
    else if (takes(cursor, "<!NOTATION")) notation(cursor, subset);
    else failExpected(cursor, "a declaration, a comment or ']'");
  }
}

/** Production 69, between declarations: the only place for it in an internal subset. */
function parameterReference(cursor: Cursor, subset: Subset): void {
  const from = cursor.at;
  expect(cursor, "%");
  const called = name(cursor);
  expect(cursor, ";");
  const before = subset.complete;
  subset.complete = false;
  const declared = subset.parameters.get(called);
  if (declared?.text === undefined) {
    if (declared === undefined && before) fail(`%${shorten(called)}; is not declared.`, from, "entity");
    return;
  }
  if (subset.met.get(called) === "open") fail(`%${shorten(called)}; contains itself.`, from, "entity");
  // Reading its declarations again would change nothing: the first ones are binding.
  if (subset.met.get(called) === "read") return;
  if (subset.met.size >= 100) fail("The DOCTYPE uses more than 100 parameter entities.", from, "entity");
  subset.met.set(called, "open");
  const { text } = declared;
  // Conditional sections and references inside declarations are for external entities; text that contains one
  // stays unread.
  if (!/<!\[|%/.test(text)) readInside({ text, at: 0 }, subset, called, from);
  subset.met.set(called, "read");
}

function readInside(cursor: Cursor, subset: Subset, called: string, from: number): void {
  const { onName } = subset;
  // A fault within the entity is reported at the reference to it.
  const inside = onName && {
    onName: (declared: string, _: number, qualified: boolean) => onName(declared, from, qualified),
  };
  try {
    readSubset(cursor, { ...subset, ...inside }, "");
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    fail(`%${shorten(called)}; does not contain complete declarations: ${error.message}`, from, "entity");
  }
}
