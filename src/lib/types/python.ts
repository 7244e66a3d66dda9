import { importsOf, joinParts, type Language } from "./language.ts";
import { isIdentifier, nameMembers, quote, wordsOf } from "./names.ts";

const ofPython = wordsOf(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case type self Any BaseModel Field bool int float str list dict datetime dataclass field",
);

const common = {
  // An alias is evaluated at once.
  usedFirst: true,
  any: "Any",
  boolean: "bool",
  number: "float",
  string: "str",
  date: "datetime",
  integer: { 32: "int", 64: "int", big: "int" },
  list: (items: string) => `list[${items}]`,
  nullable: (type: string) => `${type} | None`,
  union: (types: readonly string[]) => [...new Set(types)].join(" | "),
} as const;

const imports = { datetime: "from datetime import datetime", Any: "from typing import Any" };

const joinAll = (declarations: readonly string[]): string => declarations.join("\n\n\n");

/** Python: data classes, whose fields are the keys; other keys are in the metadata of a field. */
export const dataclass: Language = {
  ...common,
  declare: ({ name, members }, write) => {
    // A field without a default cannot follow one with a default.
    const named = nameMembers(members, "keep", ofPython).toSorted(
      (a, b) => Number(a.member.optional) - Number(b.member.optional),
    );
    const lines = named.map(({ member, name: key }) => {
      const type = member.optional && !member.nullable ? common.nullable(write(member)) : write(member);
      const parts = [
        ...(member.optional ? ["default=None"] : []),
        ...(key === member.key ? [] : [`metadata={"key": ${quote(member.key)}}`]),
      ];
      if (parts.length === 0) return `    ${key}: ${type}\n`;
      return `    ${key}: ${type} = ${parts.join() === "default=None" ? "None" : `field(${parts.join(", ")})`}\n`;
    });
    return `@dataclass\nclass ${name}:\n${lines.join("") || "    pass\n"}`.trimEnd();
  },
  alias: (name, type) => `${name} = ${type}`,
  frame: (declarations, used) => {
    const body = joinAll(declarations);
    const names = [
      ...(body.includes("@dataclass") ? ["dataclass"] : []),
      ...(body.includes(" = field(") ? ["field"] : []),
    ];
    const line = names.length === 0 ? "" : `from dataclasses import ${names.join(", ")}`;
    const head = ["from __future__ import annotations\n", line, importsOf(used, imports)].filter(
      (one) => one !== "",
    );
    return joinParts(`${head.join("\n")}\n`, body);
  },
};

/** Python: models of pydantic 2; a key that is no name, or begins with an underscore, is an alias. */
export const pydantic: Language = {
  ...common,
  declare: ({ name, members }, write) => {
    const own = new Set([
      ...ofPython,
      "model_config",
      "copy",
      "json",
      "dict",
      "schema",
      "validate",
      "construct",
    ]);
    // pydantic takes names that begin with an underscore for private ones.
    const bare = members.map((member) => ({ ...member, key: member.key.replace(/^_+/, "") }));
    const names = nameMembers(bare, "keep", own).map(({ name: named }) => named);
    const lines = members.map((member, at) => {
      const key = names[at] as string;
      const type = member.optional && !member.nullable ? common.nullable(write(member)) : write(member);
      const isAlias = key !== member.key || !isIdentifier(member.key);
      const parts = [
        ...(member.optional ? ["default=None"] : []),
        ...(isAlias ? [`alias=${quote(member.key)}`] : []),
      ];
      if (parts.length === 0) return `    ${key}: ${type}\n`;
      return `    ${key}: ${type} = ${isAlias ? `Field(${parts.join(", ")})` : "None"}\n`;
    });
    return `class ${name}(BaseModel):\n${lines.join("") || "    pass\n"}`.trimEnd();
  },
  alias: (name, type) => `${name} = ${type}`,
  frame: (declarations, used) => {
    const body = joinAll(declarations);
    const names = `BaseModel${body.includes(" = Field(") ? ", Field" : ""}`;
    const head = [
      "from __future__ import annotations\n",
      importsOf(used, imports),
      `from pydantic import ${names}`,
    ];
    return joinParts(`${head.filter((one) => one !== "").join("\n")}\n`, body);
  },
};
