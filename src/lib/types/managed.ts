import { importsOf, joinParts, type Language } from "./language.ts";
import { nameMembers, quote, wordsOf } from "./names.ts";

const ofJava = wordsOf(
  "abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if implements import instanceof int interface long native new package private protected public return short static strictfp super switch synchronized this throw throws transient try void volatile while true false null var record yield hashCode toString clone finalize getClass notify notifyAll wait",
);
const ofCsharp = wordsOf("Equals GetHashCode GetType ToString MemberwiseClone Finalize ReferenceEquals");
const ofKotlin = wordsOf(
  "as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while",
);
const ofSwift = wordsOf(
  "associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default defer do else fallthrough for guard if in repeat return throw switch where while Any as await false is nil self Self super throws true try Type Protocol",
);

/** Java: records of Jackson. */
export const java: Language = {
  any: "Object",
  boolean: "Boolean",
  number: "Double",
  string: "String",
  date: "OffsetDateTime",
  integer: { 32: "Long", 64: "Long", big: "BigInteger" },
  list: (items) => `List<${items}>`,
  // Every reference may be null.
  nullable: (type) => type,
  declare: ({ name, members }, write) => {
    const fields = nameMembers(members, "camel", ofJava).map(
      ({ member, name: field }) => `    @JsonProperty(${quote(member.key)}) ${write(member)} ${field}`,
    );
    return fields.length === 0 ? `record ${name}() {}` : `record ${name}(\n${fields.join(",\n")}\n) {}`;
  },
  alias: (name, type) => `record ${name}(@JsonValue ${type} value) {}`,
  frame: (declarations) => {
    const body = declarations.join("\n\n");
    const imports = [
      ...(body.includes("@JsonProperty(") ? ["com.fasterxml.jackson.annotation.JsonProperty"] : []),
      ...(body.includes("(@JsonValue ") ? ["com.fasterxml.jackson.annotation.JsonValue"] : []),
      ...(/\bBigInteger\b/.test(body) ? ["java.math.BigInteger"] : []),
      ...(/\bOffsetDateTime\b/.test(body) ? ["java.time.OffsetDateTime"] : []),
      ...(/\bList</.test(body) ? ["java.util.List"] : []),
    ];
    return joinParts(imports.map((one) => `import ${one};`).join("\n"), body);
  },
};

/** C#: records of System.Text.Json. */
export const csharp: Language = {
  any: "JsonElement",
  boolean: "bool",
  number: "double",
  string: "string",
  date: "DateTimeOffset",
  integer: { 32: "long", 64: "long", big: "decimal" },
  list: (items) => `List<${items}>`,
  nullable: (type) => (type.endsWith("?") ? type : `${type}?`),
  declare: ({ name, members }, write) => {
    const own = new Set([...ofCsharp, name]);
    const fields = nameMembers(members, "pascal", own).map(({ member, name: field }) => {
      const type = member.optional ? csharp.nullable(write(member)) : write(member);
      const required = member.optional ? "" : "required ";
      return `    [JsonPropertyName(${quote(member.key)})]\n    public ${required}${type} ${field} { get; init; }`;
    });
    return fields.length === 0
      ? `public sealed record ${name};`
      : `public sealed record ${name}\n{\n${fields.join("\n\n")}\n}`;
  },
  alias: (name, type) =>
    `public sealed class ${name} : ${type.startsWith("List<") ? type : `List<${type}>`};`,
  frame: (declarations, used) =>
    joinParts(
      "#nullable enable",
      [
        importsOf(used, { DateTimeOffset: "using System;" }),
        declarations.some((one) => one.includes("List<")) ? "using System.Collections.Generic;" : "",
        importsOf(used, { JsonElement: "using System.Text.Json;" }),
        "using System.Text.Json.Serialization;",
      ]
        .filter((line) => line !== "")
        .join("\n"),
      declarations,
    ),
};

/** Kotlin: data classes of kotlinx.serialization. */
export const kotlin: Language = {
  any: "JsonElement",
  boolean: "Boolean",
  number: "Double",
  string: "String",
  date: "Instant",
  integer: { 32: "Long", 64: "Long", big: "JsonElement" },
  list: (items) => `List<${items}>`,
  nullable: (type) => (type.endsWith("?") ? type : `${type}?`),
  declare: ({ name, members }, write) => {
    const fields = nameMembers(members, "camel", ofKotlin).map(({ member, name: field }) => {
      // A dollar begins an expression in a string.
      const serial = field === member.key ? "" : `@SerialName(${quote(member.key).replaceAll("$", "\\$")}) `;
      const type = member.optional ? `${kotlin.nullable(write(member))} = null` : write(member);
      return `    ${serial}val ${field}: ${type},\n`;
    });
    return fields.length === 0
      ? `@Serializable\nclass ${name}`
      : `@Serializable\ndata class ${name}(\n${fields.join("")})`;
  },
  alias: (name, type) => `typealias ${name} = ${type}`,
  frame: (declarations, used) =>
    joinParts(
      [
        importsOf(used, { Instant: "import kotlinx.datetime.Instant" }),
        declarations.some((one) => one.includes("@SerialName"))
          ? "import kotlinx.serialization.SerialName"
          : "",
        "import kotlinx.serialization.Serializable",
        importsOf(used, { JsonElement: "import kotlinx.serialization.json.JsonElement" }),
      ]
        .filter((line) => line !== "")
        .join("\n"),
      declarations,
    ),
};

/** Swift: structs that are Codable. */
export const swift: Language = {
  any: "JSONValue",
  boolean: "Bool",
  number: "Double",
  string: "String",
  date: "Date",
  integer: { 32: "Int", 64: "Int", big: "Decimal" },
  list: (items) => `[${items}]`,
  nullable: (type) => (type.endsWith("?") ? type : `${type}?`),
  declare: ({ name, members }, write) => {
    const named = nameMembers(members, "camel", ofSwift);
    const fields = named.map(({ member, name: field }) => {
      const type = member.optional ? swift.nullable(write(member)) : write(member);
      return `    let ${field}: ${type}\n`;
    });
    const renamed = named.some(({ member, name: field }) => field !== member.key);
    const keys = named.map(
      ({ member, name: field }) => `        case ${field} = ${toSwiftString(member.key)}\n`,
    );
    const coding = renamed ? `\n    enum CodingKeys: String, CodingKey {\n${keys.join("")}    }\n` : "";
    return `struct ${name}: Codable {\n${fields.join("")}${coding}}`;
  },
  alias: (name, type) => `typealias ${name} = ${type}`,
  frame: (declarations, used) =>
    joinParts("import Foundation", declarations, used.has("JSONValue") ? jsonValue : ""),
};

const toSwiftString = (text: string): string =>
  `"${Array.from(text, (one) => (/[ !#-[\]-~]/.test(one) ? one : `\\u{${one.codePointAt(0)?.toString(16)}}`)).join("")}"`;

const jsonValue = `indirect enum JSONValue: Codable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { self = .null
        } else if let value = try? container.decode(Bool.self) { self = .bool(value)
        } else if let value = try? container.decode(Double.self) { self = .number(value)
        } else if let value = try? container.decode(String.self) { self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) { self = .array(value)
        } else { self = .object(try container.decode([String: JSONValue].self)) }
    }

    func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}`;
