import { textSlugs } from "./adapter-text.ts";
import { documentSlugs } from "./adapter-documents.ts";
import type { Entry } from "./mapping.ts";
import { noTool } from "./adapter-none.ts";

/**
 * Every slug that the suites suppose, and every field of it, in terms of our tools. `suite/slug` goes before
 * `slug`: some suites mean something of their own by it.
 */
export const adapter: Readonly<Record<string, Entry>> = { ...documentSlugs, ...textSlugs, ...noTool };

/** Throws where the table says nothing: no slug is left out in silence. */
export function entryOf(suite: string, slug: string): Entry {
  const entry = adapter[keyOf(suite, slug)];
  if (entry === undefined) throw new Error(`The adapter does not say what ${slug} of ${suite} is`);
  return entry;
}

/** Where the table speaks of a slug of a suite. */
export function keyOf(suite: string, slug: string): string {
  const own = `${suite}/${slug}`;
  return Object.hasOwn(adapter, own) ? own : slug;
}
