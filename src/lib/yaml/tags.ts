import { isLiteral, type Value } from "../data/value.ts";
import { resolvePlain, type YamlSchema } from "./plain.ts";

const prefix = "tag:yaml.org,2002:";

/**
 * The value of a scalar with a tag: those of YAML itself say what it is, all others leave it the string that it is written as.
 * Undefined where it cannot be what its tag says.
 */
export function resolveTagged(
  tag: string,
  content: string,
  plain: boolean,
  schema: YamlSchema,
): Value | undefined {
  if (!tag.startsWith(prefix)) return content;
  const value = resolvePlain(content, schema);
  switch (tag.slice(prefix.length)) {
    case "null":
      return value === null ? null : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "int":
      return isLiteral(value as Value) && /^-?\d+$/.test((value as { text: string }).text)
        ? (value as Value)
        : undefined;
    case "float": {
      const literal = value as Value;
      return isLiteral(literal) && (literal.kind === "number" || literal.kind === "nonfinite")
        ? literal
        : undefined;
    }
    case "timestamp":
      return resolvePlain(content, "yaml-1.1") ?? content;
    default:
      // A plain scalar that is tagged as a collection or a string.
      return plain && content === "" && tag !== `${prefix}str` ? null : content;
  }
}
