import { textSlugs } from "./adapter-text.ts";
import { documentSlugs } from "./adapter-documents.ts";
import type { Entry } from "./mapping.ts";
import { noTool } from "./adapter-none.ts";

/**
 * Maps every slug of the suites and each of its fields to our tools. `suite/slug` takes precedence over `slug`: some suites use a slug in
 * their own sense.
 */
export const adapter: Readonly<Record<string, Entry>> = { ...documentSlugs, ...textSlugs, ...noTool };

/** Throws for an unmapped slug, so that none is left out silently. */
export function entryOf(suite: string, slug: string): Entry {
  const entry = adapter[keyOf(suite, slug)];
  if (entry === undefined) throw new Error(`The adapter has no entry for ${slug} of ${suite}`);
  return entry;
}

/** The entry of the table for a slug of a suite. */
export function keyOf(suite: string, slug: string): string {
  const own = `${suite}/${slug}`;
  return Object.hasOwn(adapter, own) ? own : slug;
}
