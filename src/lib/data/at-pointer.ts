import { isDictionary, isList, type Value } from "./value.ts";

/** Returns the value that the tokens of a pointer (RFC 6901) lead to, or undefined if there is none. */
export function valueAt(root: Value, tokens: readonly string[]): Value | undefined {
  let value: Value | undefined = root;
  for (const token of tokens) {
    if (value === undefined) return undefined;
    if (isList(value)) value = /^(?:0|[1-9]\d{0,15})$/.test(token) ? value[Number(token)] : undefined;
    else value = isDictionary(value) ? value.get(token) : undefined;
  }
  return value;
}
