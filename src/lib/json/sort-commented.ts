import { decodeKey } from "./decode-key.ts";
import { plainScalar } from "./plain-scalar.ts";
import { type Part, type SortOptions, sortParts } from "./sort-document.ts";
import type { JsonDialect } from "./source.ts";
import { createTokens } from "./tokens.ts";

/**
 * A member or an item: `text` is plain JSON, by which items are compared; `written` is what the document has for
 * it.
 */
interface Item extends Part {
  written: string;
  /** Comments before it, and those after it on its line. */
  before: string;
  after: string;
}

interface Container {
  list: boolean;
  items: Item[];
  /** Comments on the line of the opening bracket. */
  head: string;
  /** Comments before the next item. */
  before: string;
  /** The pending key: its value, and as written with the comments up to the value. */
  key: string | undefined;
  written: string;
}

const createContainer = (list: boolean): Container => ({
  list,
  items: [],
  head: "",
  before: "",
  key: undefined,
  written: "",
});

/**
 * Sorts a valid document like `sortDocument`. Comments above a member or item and those after it on its line move with it;
 * comments at the end of a container stay there.
 */
export function sortCommented(text: string, dialect: JsonDialect, options: SortOptions): string {
  const direction = options.order === "asc" ? 1 : -1;
  const compared = options.arrays === "sort";
  const tokens = createTokens(text, dialect);
  const open: Container[] = [];
  let container = createContainer(true);
  tokens.next();
  collect();
  for (;;) {
    const { kind } = tokens;
    if (kind === "end") return finish(container);
    if (kind === "{" || kind === "[") {
      open.push(container);
      container = createContainer(kind === "[");
      tokens.next();
      collect();
      continue;
    }
    let value: { text: string; written: string };
    if (kind === "}" || kind === "]") {
      value = close(container, direction, options.arrays);
      container = open.pop() as Container;
    } else {
      const token = text.slice(tokens.from, tokens.to);
      if (!container.list && container.key === undefined) {
        readKey(token);
        continue;
      }
      value = { text: compared ? plain(token, tokens.from) : "", written: token };
    }
    tokens.next();
    add(value);
    collect();
    if (tokens.kind === ",") {
      tokens.next();
      collect();
    }
  }

  function plain(token: string, index: number): string {
    return dialect === "json5" ? plainScalar(token, index) : token;
  }

  function readKey(token: string): void {
    container.key = decodeKey(Buffer.from(token), 0, Buffer.byteLength(token));
    container.written = token;
    for (tokens.next(); tokens.kind === ":" || tokens.kind === "/"; tokens.next())
      container.written += commentOrColon();
  }

  function commentOrColon(): string {
    const token = text.slice(tokens.from, tokens.to);
    return token.startsWith("//") ? ` ${token}\n` : ` ${token} `;
  }

  function add(value: { text: string; written: string }): void {
    const { key, before, written } = container;
    container.items.push({
      text: key === undefined ? value.text : `${JSON.stringify(key)}:${value.text}`,
      ...(key !== undefined && { key }),
      written: written + value.written,
      before,
      after: "",
    });
    container.before = "";
    container.written = "";
    container.key = undefined;
  }

  /** Reads the comments up to the next other token and attaches them. */
  function collect(): void {
    for (; tokens.kind === "/"; tokens.next()) {
      const comment = text.slice(tokens.from, tokens.to);
      const ended = comment.startsWith("//") ? `${comment}\n` : comment;
      const last = container.items.at(-1);
      if (tokens.breaks > 0 || container.before !== "") container.before += `\n${ended}`;
      else if (last === undefined) container.head += ` ${ended}`;
      else last.after += ` ${ended}`;
    }
  }
}

function close(
  { list, items, head, before }: Container,
  direction: number,
  arrays: SortOptions["arrays"],
): { text: string; written: string } {
  sortParts(items, list, direction, arrays);
  let text = list ? "[" : "{";
  let written = text + head;
  for (const [index, item] of items.entries()) {
    const comma = index < items.length - 1 ? "," : "";
    if (arrays === "sort") text += item.text + comma;
    written += `${item.before}\n${item.written}${comma}${item.after}`;
  }
  const end = list ? "]" : "}";
  return { text: text + end, written: `${written}${before}\n${end}` };
}

/** The document is the only item of the outermost container. */
function finish({ items, head, before }: Container): string {
  const [root] = items;
  return `${head}${root?.before}\n${root?.written}${root?.after}${before}`;
}
