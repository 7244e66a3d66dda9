/** The path of a value in a JSON document: names of members and indexes of items, from the root. */
export type Path = readonly (string | number)[];

/** Returns the path of the value or name at an offset of a JSON text. The text is valid. */
export function findPath(text: string, offset: number): Path {
  const path: (string | number)[] = [];
  /** Whether each open value is an object. */
  const open: boolean[] = [];
  let isName = false;
  const token = /"(?:[^"\\]+|\\.)*"|[{}[\],]/gs;
  for (let found = token.exec(text); found !== null && found.index < offset; found = token.exec(text)) {
    const [part] = found;
    if (part === "{" || part === "[") {
      open.push(part === "{");
      if (part === "[") path.push(0);
      isName = part === "{";
    } else if (part === "}" || part === "]") {
      if (token.lastIndex > offset) break;
      // An empty object has no name on the path, and an empty array an index.
      if (path.length >= open.length) path.pop();
      open.pop();
      isName = false;
    } else if (part === ",") {
      if (open.at(-1) === true) {
        isName = true;
        path.length = open.length - 1;
      } else path.push((path.pop() as number) + 1);
    } else if (isName) {
      path.length = open.length - 1;
      path.push(JSON.parse(part) as string);
      isName = false;
    }
  }
  return path;
}

/** Ways to write a path. */
export const spellings: readonly { name: string; write(path: Path): string }[] = [
  // RFC 9535, normalized paths but for the names that need no quotes.
  {
    name: "JSONPath",
    write: (path) =>
      `$${path.map((step) => (typeof step === "string" && isPlain(step) ? `.${step}` : typeof step === "string" ? `['${escapeName(step)}']` : `[${step}]`)).join("")}`,
  },
  {
    name: "JSON Pointer",
    write: (path) =>
      path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
  },
  {
    name: "JavaScript",
    write: (path) =>
      `data${path.map((step) => (typeof step === "string" && isPlain(step) ? `.${step}` : `[${JSON.stringify(step)}]`)).join("")}`,
  },
];

const isPlain = (name: string): boolean => /^[A-Za-z_][A-Za-z\d_]*$/.test(name);

/** Writes a name between single quotes (RFC 9535, 2.3.1.1). */
const escapeName = (name: string): string =>
  JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
