import { importsOf, joinParts, type Language } from "./language.ts";
import { nameMembers, quote, wordsOf } from "./names.ts";

const ofGo = wordsOf("");
const ofRust = wordsOf(
  "as async await break const continue crate dyn else enum extern false fn for gen if impl in let loop match mod move mut pub ref return self Self static struct super trait true type union unsafe use where while abstract become box do final macro override priv try typeof unsized virtual yield",
);

/** Go: structs with tags for encoding/json. */
export const go: Language = {
  any: "any",
  boolean: "bool",
  number: "float64",
  string: "string",
  date: "time.Time",
  integer: { 32: "int64", 64: "int64", big: "json.Number" },
  list: (items) => `[]${items}`,
  nullable: (type) => (/^[*[]/.test(type) ? type : `*${type}`),
  declare: ({ name, members }, write) => {
    const rows = nameMembers(members, "pascal", ofGo).map(({ member, name: field }) => {
      // A tag cannot name every key; encoding/json ignores one with other characters.
      const isTag = /^[\p{L}\p{N} !#$%&()*+./:;<=>?@[\]^_{|}~-]+$/u.test(member.key) && member.key !== "-";
      const type = member.optional ? go.nullable(write(member)) : write(member);
      if (!isTag)
        return [field, type, `\`json:"-"\` // ${quote(member.key)} cannot be the name of a tag`] as const;
      return [field, type, `\`json:"${member.key}${member.optional ? ",omitempty" : ""}"\``] as const;
    });
    // As gofmt aligns them.
    const widths = [0, 1].map((at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)));
    const lines = rows.map(
      ([field, type, tag]) => `\t${field.padEnd(widths[0] ?? 0)} ${type.padEnd(widths[1] ?? 0)} ${tag}\n`,
    );
    return lines.length === 0 ? `type ${name} struct{}` : `type ${name} struct {\n${lines.join("")}}`;
  },
  alias: (name, type) => `type ${name} ${type}`,
  frame: (declarations, used) =>
    joinParts(
      "package main",
      importsOf(used, { "json.Number": 'import "encoding/json"', "time.Time": 'import "time"' }),
      declarations,
    ),
};

/** Rust: structs of serde. */
export const rust: Language = {
  any: "serde_json::Value",
  boolean: "bool",
  number: "f64",
  string: "String",
  date: "chrono::DateTime<chrono::Utc>",
  integer: { 32: "i64", 64: "i64", big: "serde_json::Number" },
  list: (items) => `Vec<${items}>`,
  nullable: (type) => (type.startsWith("Option<") ? type : `Option<${type}>`),
  declare: ({ name, members }, write) => {
    const lines = nameMembers(members, "snake", ofRust).map(({ member, name: field }) => {
      const rename = field === member.key ? [] : [`rename = ${toRustString(member.key)}`];
      const skip = member.optional ? ['default, skip_serializing_if = "Option::is_none"'] : [];
      const marks = [...rename, ...skip].map((mark) => `    #[serde(${mark})]\n`).join("");
      const type = member.optional ? rust.nullable(write(member)) : write(member);
      return `${marks}    pub ${field}: ${type},\n`;
    });
    return `#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]\npub struct ${name} {\n${lines.join("")}}`;
  },
  alias: (name, type) => `pub type ${name} = ${type};`,
  frame: (declarations) => joinParts("use serde::{Deserialize, Serialize};", declarations),
};

const toRustString = (text: string): string =>
  quote(text).replaceAll(
    /\\u([\da-f]{4})(?:\\u(d[c-f][\da-f]{2}))?|\\[bf]/g,
    (escape, first?: string, second?: string) => {
      if (first === undefined) return escape === "\\b" ? "\\u{8}" : "\\u{c}";
      if (second === undefined) return `\\u{${first}}`;
      return `\\u{${(((parseInt(first, 16) - 0xd800) << 10) + parseInt(second, 16) - 0xdc00 + 0x10000).toString(16)}}`;
    },
  );
