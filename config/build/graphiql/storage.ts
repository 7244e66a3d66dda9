// The storage of GraphiQL. Runs in a browser.

/** The members of Storage that GraphiQL uses. */
export interface Kept {
  readonly length: number;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
  clear(): void;
}

/**
 * Stores tabs and history without headers. GraphiQL writes the headers of each operation into its history, whatever its
 * options say, and a token there would outlive the session of its user.
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
