import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { type Dictionary, type List, maxDepth, type Value } from "../data/value.ts";
import { lineOf } from "../lines.ts";
import type { Cursor } from "./cursor.ts";
import type { KeyPart } from "./keys.ts";

/**
 * The way in which a table was created, which decides who may extend it: `implicit` by the header of a table inside it,
 * `header` by its own, `dotted` by a dotted key, `inline` by braces, which close it.
 */
type Origin = "implicit" | "header" | "dotted" | "inline";

export interface Table {
  readonly value: Dictionary;
  origin: Origin;
  /** The first place of each key, for messages. */
  readonly places: Map<string, number>;
  readonly depth: number;
  readonly path: Path | undefined;
}

export interface Path {
  readonly outer: Path | undefined;
  readonly name: string | number;
}

/**
 * The destination of a value: a key of a table. `taken` means that the key already has a value, so that this
 * one is dropped.
 */
export interface Place {
  readonly table: Table;
  readonly name: string;
  readonly taken: boolean;
}

export interface Tables {
  readonly root: Dictionary;
  /** The table that receives pairs. */
  readonly current: Table;
  /** Opens the table of a header, `[a.b]` or `[[a.b]]`. */
  open(key: readonly KeyPart[], isArray: boolean): void;
  /** Resolves a key relative to a table. */
  place(table: Table, key: readonly KeyPart[]): Place;
  /** Creates a table in braces, still open. */
  inline(path: Path | undefined, depth: number): Table;
}

export function createTables(cursor: Cursor): Tables {
  const known = new Map<Dictionary, Table>();
  /** The lists that `[[…]]` may extend; lists in brackets are closed. */
  const arrays = new Set<List>();
  const root = add("header", undefined, 0);
  let current = root;

  function add(origin: Origin, path: Path | undefined, depth: number): Table {
    const table: Table = { value: new Map(), origin, places: new Map(), depth, path };
    known.set(table.value, table);
    return table;
  }

  function create(outer: Table, part: KeyPart, origin: Origin): Table {
    const table = add(origin, { outer: outer.path, name: part.name }, outer.depth + 1);
    set(outer, part, table.value);
    return table;
  }

  function set(outer: Table, { name, at }: KeyPart, value: Value): void {
    if (outer.depth >= maxDepth) throw tooDeep(at);
    outer.value.set(name, value);
    outer.places.set(name, at);
  }

  function clash(outer: Table, { name, at }: KeyPart, what: string): DocumentFault {
    const first = outer.places.get(name) ?? at;
    const pointer = toShortPointer(pathOf({ outer: outer.path, name }));
    const shown = JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
    return new DocumentFault(
      `${shown} ${what}; the first is on line ${lineOf(cursor.text, first)}.`,
      { index: at, pointer },
      "duplicate-key",
    );
  }

  /** Returns the table that a part of a header leads to; for an array of tables the last one. */
  function enter(outer: Table, part: KeyPart): Table {
    const found = outer.value.get(part.name);
    if (found === undefined) return create(outer, part, "implicit");
    const inner = Array.isArray(found) && arrays.has(found) ? found.at(-1) : found;
    const table = inner instanceof Map ? known.get(inner) : undefined;
    if (table === undefined) throw clash(outer, part, "already has a value that is not a table");
    if (table.origin === "inline") throw clash(outer, part, "is an inline table, which cannot be extended");
    return table;
  }

  function openArray(outer: Table, part: KeyPart): Table {
    let list = outer.value.get(part.name);
    if (list === undefined) {
      list = [];
      arrays.add(list);
      set(outer, part, list);
    } else if (!Array.isArray(list) || !arrays.has(list)) {
      throw clash(outer, part, "is already defined, and not as an array of tables");
    }
    const path = { outer: { outer: outer.path, name: part.name }, name: list.length };
    const table = add("header", path, outer.depth + 2);
    list.push(table.value);
    return table;
  }

  function openTable(outer: Table, part: KeyPart): Table {
    const found = outer.value.get(part.name);
    if (found === undefined) return create(outer, part, "header");
    const table = found instanceof Map ? known.get(found) : undefined;
    if (table?.origin === "implicit") {
      table.origin = "header";
      return table;
    }
    cursor.report(clash(outer, part, "is defined twice"));
    return table ?? add("header", outer.path, outer.depth);
  }

  return {
    root: root.value,
    get current() {
      return current;
    },
    open(key, isArray) {
      let table = root;
      for (const part of key.slice(0, -1)) table = enter(table, part);
      const last = key.at(-1) as KeyPart;
      current = isArray ? openArray(table, last) : openTable(table, last);
    },
    place(start, key) {
      let table = start;
      for (const part of key.slice(0, -1)) {
        const found = table.value.get(part.name);
        const inner = found instanceof Map ? known.get(found) : undefined;
        if (found === undefined) table = create(table, part, "dotted");
        else if (inner?.origin === "dotted" || inner?.origin === "implicit") {
          inner.origin = "dotted";
          table = inner;
        } else throw clash(table, part, "is already defined, and dotted keys cannot extend it");
      }
      const last = key.at(-1) as KeyPart;
      const taken = table.value.has(last.name);
      if (taken) cursor.report(clash(table, last, "is defined twice"));
      // Reserves the key at once, which keeps the order of the document.
      else set(table, last, null);
      return { table, name: last.name, taken };
    },
    inline: (path, depth) => add("dotted", path, depth),
  };
}

export const tooDeep = (index: number): DocumentFault =>
  new DocumentFault(`The document is nested more than ${maxDepth} levels deep.`, { index }, "too-deep");

function pathOf(path: Path | undefined): (string | number)[] {
  const names: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.outer) names.push(at.name);
  return names.toReversed();
}
