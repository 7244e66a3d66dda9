import { joinParts, type Language } from "./language.ts";
import { isIdentifier } from "./names.ts";

const keyOf = (key: string): string => (isIdentifier(key) ? key : JSON.stringify(key));

/** TypeScript: interfaces, with the names of the document. */
export const typescript: Language = {
  any: "unknown",
  boolean: "boolean",
  number: "number",
  string: "string",
  date: "Date",
  integer: { 32: "number", 64: "number", big: "number" },
  list: (items) => (/[ |]/.test(items) ? `(${items})[]` : `${items}[]`),
  nullable: (type) => `${type} | null`,
  union: (types) => [...new Set(types)].join(" | "),
  declare: ({ name, members }, write) => {
    const lines = members.map((one) => `  ${keyOf(one.key)}${one.optional ? "?" : ""}: ${write(one)};\n`);
    return `export interface ${name} {\n${lines.join("")}}`;
  },
  alias: (name, type) => `export type ${name} = ${type};`,
  frame: (declarations) => joinParts(declarations),
};

/** Schemas of zod 4, with a type for each. */
export const zod: Language = {
  any: "z.unknown()",
  boolean: "z.boolean()",
  number: "z.number()",
  string: "z.string()",
  date: "z.coerce.date()",
  integer: { 32: "z.int()", 64: "z.number()", big: "z.number()" },
  list: (items) => `z.array(${items})`,
  nullable: (type) => `${type}.nullable()`,
  union: (types) => `z.union([${types.join(", ")}])`,
  declare: ({ name, members }, write) => {
    // `__proto__` in a literal would set the prototype.
    const lines = members.map((one) => {
      const key = one.key === "__proto__" ? '["__proto__"]' : keyOf(one.key);
      return `  ${key}: ${write(one)}${one.optional ? ".optional()" : ""},\n`;
    });
    return declareZod(name, `z.object({\n${lines.join("")}})`);
  },
  alias: declareZod,
  // A schema is a value.
  usedFirst: true,
  frame: (declarations) => joinParts('import { z } from "zod";', declarations),
};

function declareZod(name: string, schema: string): string {
  return `export const ${name} = ${schema};\nexport type ${name} = z.infer<typeof ${name}>;`;
}
