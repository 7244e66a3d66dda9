import { importsOf, joinParts, type Language } from "./language.ts";
import { nameMembers, quote, wordsOf } from "./names.ts";

const none = wordsOf("");

/** GraphQL: object types. A name that GraphQL lacks has its key as the description. */
export const graphql: Language = {
  any: "JSON",
  boolean: "Boolean!",
  number: "Float!",
  string: "String!",
  date: "DateTime!",
  // An Int has 32 bits.
  integer: { 32: "Int!", 64: "Float!", big: "Float!" },
  list: (items) => `[${toRequired(items)}]!`,
  nullable: (type) => type.replace(/!$/, ""),
  declare: ({ name, members }, write) => {
    const lines = nameMembers(members, "keep", none).map(({ member, name: key }) => {
      // Names with two underscores belong to introspection.
      const field = key.replace(/^__+/, "_");
      const description = field === member.key ? "" : `  ${quote(member.key)}\n`;
      const type = toRequired(write(member));
      return `${description}  ${field}: ${member.optional || member.nullable ? type.replace(/!$/, "") : type}\n`;
    });
    return `type ${name} {\n${lines.join("") || "  _: Boolean\n"}}`;
  },
  alias: (name, type) => `type ${name} {\n  value: ${toRequired(type)}\n}`,
  frame: (declarations, used) =>
    joinParts(importsOf(used, { "DateTime!": "scalar DateTime", JSON: "scalar JSON" }), declarations),
};

/** A type that was declared has no exclamation mark yet; `JSON` holds null itself. */
const toRequired = (type: string): string => (/[!\]]$|^JSON$/.test(type) ? type : `${type}!`);

/** Protocol Buffers: messages of proto3, with the keys of ProtoJSON. */
export const proto3: Language = {
  any: "google.protobuf.Value",
  boolean: "bool",
  number: "double",
  string: "string",
  date: "google.protobuf.Timestamp",
  integer: { 32: "int32", 64: "int64", big: "double" },
  // A list of lists has no type, and null in a list neither.
  list: (items) => (/^repeated |\?$/.test(items) ? "google.protobuf.ListValue" : `repeated ${items}`),
  nullable: (type) => (/^repeated |^google/.test(type) ? type : `${type}?`),
  declare: ({ name, members }, write) => {
    const lines = nameMembers(members, "snake", none, withoutUnderscores).map(
      ({ member, name: field }, at) => {
        const written = write(member);
        const type = written.replace(/\?$/, "");
        const isPlain = !/^repeated |^google/.test(type);
        const optional = isPlain && (member.optional || written.endsWith("?")) ? "optional " : "";
        const json = toJsonName(field) === member.key ? "" : ` [json_name = ${toProtoString(member.key)}]`;
        return `  ${optional}${type} ${field} = ${numberOf(at)}${json};\n`;
      },
    );
    return `message ${name} {\n${lines.join("")}}`;
  },
  alias: (name, type) => `message ${name} {\n  ${type.replace(/\?$/, "")} value = 1;\n}`,
  frame: (declarations, used) => {
    const body = declarations.join("\n\n");
    const struct = /google\.protobuf\.(?:Value|ListValue)/.test(body);
    const files = [
      ...(struct ? ['import "google/protobuf/struct.proto";'] : []),
      ...(used.has(proto3.date) ? ['import "google/protobuf/timestamp.proto";'] : []),
    ];
    return joinParts('syntax = "proto3";', files.join("\n"), body);
  },
};

/** protoc refuses names whose ProtoJSON keys are the same but for case, even if both have a `json_name`. */
const withoutUnderscores = (name: string): string => name.replaceAll("_", "").toLowerCase();

/** The numbers from 19000 to 19999 are reserved. */
const numberOf = (at: number): number => (at + 1 < 19_000 ? at + 1 : at + 1001);

/** The key that ProtoJSON gives a field. */
const toJsonName = (field: string): string =>
  field.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const toProtoString = (text: string): string =>
  `"${Array.from(Buffer.from(text), (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, "0")}`,
  ).join("")}"`;
