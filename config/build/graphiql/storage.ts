// Where GraphiQL keeps what was typed. Runs in a browser.

/** The part of the web's Storage that GraphiQL uses. */
export interface Kept {
  readonly length: number;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
  clear(): void;
}

/**
 * Keeps tabs and history, and no headers: whatever it is told, GraphiQL writes those of each operation that was run into
 * its history, and a token there would outlive whoever typed it.
 */
export function withoutHeaders(storage: Kept): Kept {
  return {
    get length() {
      return storage.length;
    },
    getItem: (name) => storage.getItem(name),
    setItem(name, value) {
      if (name === "graphiql:headers") return;
      storage.setItem(name, lists.has(name) ? strip(value) : value);
    },
    removeItem: (name) => storage.removeItem(name),
    clear: () => storage.clear(),
  };
}

/** JSON in which each operation has its headers beside it; variables are text there, whatever is in them. */
const lists = new Set(["graphiql:queries", "graphiql:favorites", "graphiql:tabState"]);

const strip = (value: string): string =>
  JSON.stringify(JSON.parse(value), (key, member: unknown) => (key === "headers" ? undefined : member));
