import type { Declared, Field, Model, Type } from "./model.ts";

/** The notation of a language for types, and the texts around them. */
export interface Language {
  any: string;
  boolean: string;
  number: string;
  string: string;
  date: string;
  integer: Readonly<Record<32 | 64 | "big", string>>;
  list(items: string): string;
  /** A type beside which null may stand. */
  nullable(type: string): string;
  /** Without it, a value of several types is `any`. */
  union?(types: readonly string[]): string;
  /** Declares an object. */
  declare(declared: Declared, write: Writer): string;
  /** Declares the name of the whole document, where that is no object. */
  alias(name: string, type: string): string;
  /** Whether a declaration comes after what it names. */
  usedFirst?: true;
  /** Adds what stands before and after the declarations. */
  frame(declarations: readonly string[], used: ReadonlySet<string>): string;
}

/** Writes the type of a field. */
export type Writer = (field: Field) => string;

/** Writes a model in a language. */
export function render(model: Model, language: Language): string {
  const used = new Set<string>();
  const write: Writer = ({ type, nullable }) => {
    const written = writeType(type);
    return nullable && written !== language.any ? language.nullable(written) : written;
  };
  function writeType(type: Type): string {
    if (type.kind === "named") return type.name;
    if (type.kind === "list") return language.list(write(type.items));
    if (type.kind === "union") {
      const union = language.union?.(type.types.map(writeType));
      if (union !== undefined) return union;
    }
    const text =
      type.kind === "integer"
        ? language.integer[type.size]
        : language[type.kind === "union" ? "any" : type.kind];
    used.add(text);
    return text;
  }
  const objects = language.usedFirst === true ? usedFirst(model) : model.objects;
  const declarations = objects.map((declared) => language.declare(declared, write));
  const { root, name } = model;
  if (root.type.kind !== "named" || root.nullable) {
    const alias = language.alias(name, write(root));
    if (language.usedFirst === true) declarations.push(alias);
    else declarations.unshift(alias);
  }
  return language.frame(declarations, used);
}

/** Returns the objects of a model so that each comes after those that it names. */
function usedFirst({ objects }: Model): Declared[] {
  const byName = new Map(objects.map((declared) => [declared.name, declared]));
  const ordered = new Set<Declared>();
  const visit = (declared: Declared): void => {
    if (ordered.has(declared)) return;
    for (const { type } of declared.members.toReversed()) visitType(type);
    ordered.add(declared);
  };
  const visitType = (type: Type): void => {
    const declared = type.kind === "named" ? byName.get(type.name) : undefined;
    if (declared !== undefined) visit(declared);
    if (type.kind === "list") visitType(type.items.type);
    if (type.kind === "union") for (const one of type.types.toReversed()) visitType(one);
  };
  for (const declared of objects.toReversed()) visit(declared);
  return [...ordered];
}

/** Joins parts with an empty line between them, and ends the last line. */
export const joinParts = (...parts: readonly (string | readonly string[])[]): string =>
  `${parts
    .flat()
    .filter((part) => part !== "")
    .join("\n\n")}\n`;

/** Writes the lines of the imports that are needed, in their order. */
export const importsOf = (used: ReadonlySet<string>, imports: Readonly<Record<string, string>>): string =>
  [...new Set(Object.entries(imports).flatMap(([type, line]) => (used.has(type) ? [line] : [])))].join("\n");
