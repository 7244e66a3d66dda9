import { checkLength } from "../data/result-length.ts";
import { isDictionary, isList, type Value } from "../data/value.ts";
import { toJson } from "../data/to-json.ts";
import { compareCodePoints } from "../json/code-point-order.ts";

/**
 * Writes a value as the statements of gron, one a line: `json.a[0] = 1;`. Each names its whole path, so that lines can be searched,
 * left out and compared one by one.
 * @param sort Orders the keys as gron does: names that need no quotes first, then by code point.
 * @throws DocumentFault if the text would be too long.
 */
export function writeGron(value: Value, sort: boolean): string {
  const lines: string[] = [];
  let length = 0;
  add("json", value);
  return lines.join("\n");

  /** Recursive: every parser limits the depth. */
  function add(path: string, item: Value): void {
    const written = isList(item) ? "[]" : isDictionary(item) ? "{}" : toJson(item, 0);
    length += path.length + written.length + 5;
    checkLength(length);
    lines.push(`${path} = ${written};`);
    if (isList(item)) for (const [index, inner] of item.entries()) add(`${path}[${index}]`, inner);
    else if (isDictionary(item)) {
      const members = Array.from(item, ([key, inner]) => [path + partOf(key), inner] as const);
      // All begin with the path, so that the rest decides; a point comes before a bracket.
      if (sort) members.sort(([a], [b]) => compareCodePoints(a, b));
      for (const [name, inner] of members) add(name, inner);
    }
  }
}

const partOf = (key: string): string => (isBareName(key) ? `.${key}` : `[${JSON.stringify(key)}]`);

/** ECMA-262 §12.7.2, without the words that only strict mode reserves; and literals. */
const reserved = new Set(
  "break case catch class const continue debugger default delete do else export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
);

/** Reports whether a key can follow a point in JavaScript, and so in gron. */
const isBareName = (key: string): boolean =>
  /^[\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*$/u.test(key) && !reserved.has(key);
