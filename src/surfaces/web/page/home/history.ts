import { type ReadonlySignal, signal } from "@preact/signals";

// Slugs of tools that this browser keeps. What is typed is never kept.

const maxRecent = 8;

export const favourites: ReadonlySignal<readonly string[]> = signal(read("favourites"));
export const recent: ReadonlySignal<readonly string[]> = signal(read("recent"));

/** Remembers that a tool was opened. */
export function remember(slug: string): void {
  write("recent", recent, [slug, ...recent.peek().filter((one) => one !== slug)].slice(0, maxRecent));
}

/** Forgets which tools were opened. */
export const forgetRecent = (): void => write("recent", recent, []);

export function toggleFavourite(slug: string): void {
  const known = favourites.peek();
  write(
    "favourites",
    favourites,
    known.includes(slug) ? known.filter((one) => one !== slug) : [...known, slug],
  );
}

function read(name: string): readonly string[] {
  try {
    const found = JSON.parse(localStorage.getItem(`penknife.${name}`) ?? "[]") as unknown;
    // Other pages of this origin can write there.
    return Array.isArray(found)
      ? found.filter((one) => /^[a-z\d-]{1,64}$/.test(String(one))).map(String)
      : [];
  } catch {
    return [];
  }
}

function write(name: string, target: ReadonlySignal<readonly string[]>, slugs: readonly string[]): void {
  (target as { value: readonly string[] }).value = slugs;
  try {
    localStorage.setItem(`penknife.${name}`, JSON.stringify(slugs));
  } catch {
    // A browser may forbid it; then the page forgets.
  }
}
