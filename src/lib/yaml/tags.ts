import { isLiteral, type Value } from "../data/value.ts";
import { resolvePlain, type YamlSchema } from "./plain.ts";

const prefix = "tag:yaml.org,2002:";

/**
 * Returns the value of a tagged scalar: the tags of YAML itself set the type, others leave it a string.
 * Undefined if the text does not fit the tag.
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
      // A plain scalar tagged as a collection or a string.
      return plain && content === "" && tag !== `${prefix}str` ? null : content;
  }
}
