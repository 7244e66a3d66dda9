import { DocumentFault } from "../fault.ts";
import type { Dictionary } from "../data/value.ts";
import {
  type Cursor,
  describeUnit,
  endLine,
  expect,
  skipSpace,
  toCursor,
  type TomlVersion,
} from "./cursor.ts";
import { readKey } from "./keys.ts";
import { createTables, type Tables } from "./tables.ts";
import { readValue } from "./values.ts";

export interface TomlOptions {
  /** 1.1 accepts every document of 1.0; 1.0 refuses later additions. */
  version: TomlVersion;
  /** Called for faults after which reading can continue; without it, they are thrown. */
  onFault?: (fault: DocumentFault) => void;
}

/**
 * Parses a TOML document. Numbers keep their digits (without `_` and `+`, in base ten), dates their kind.
 * Iterative: nesting uses no stack.
 * @throws DocumentFault with the place of the fault.
 */
export function fromToml(text: string, options: TomlOptions): Dictionary {
  const cursor = toCursor(text, options.version, options.onFault);
  const tables = createTables(cursor);
  while (cursor.at < text.length) {
    skipSpace(cursor);
    const unit = text.charCodeAt(cursor.at);
    if (unit === 0x5b) readHeader(cursor, tables);
    else if (unit !== 0x0a && unit !== 0x0d && unit !== 0x23 && cursor.at < text.length)
      readPair(cursor, tables);
    endLine(cursor);
  }
  return tables.root;
}

function readHeader(cursor: Cursor, tables: Tables): void {
  const isArray = cursor.text.charCodeAt(cursor.at + 1) === 0x5b;
  cursor.at += isArray ? 2 : 1;
  const key = readKey(cursor);
  skipSpace(cursor);
  expect(cursor, "]", "']' after the name of the table");
  // TOML 1.0, Array of Tables: the two brackets are one token.
  if (isArray) expect(cursor, "]", "']]' after the name of the array of tables");
  tables.open(key, isArray);
}

function readPair(cursor: Cursor, tables: Tables): void {
  const key = readKey(cursor);
  skipSpace(cursor);
  if (cursor.text.charCodeAt(cursor.at) !== 0x3d) {
    throw new DocumentFault(
      `Expected '=' after the key; found ${describeUnit(cursor)}. A line must be key = value, [table] or a comment.`,
      { index: cursor.at },
    );
  }
  cursor.at++;
  skipSpace(cursor);
  const place = tables.place(tables.current, key);
  readValue(cursor, tables, place);
}
