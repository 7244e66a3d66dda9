import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The build's own cache, because bundling and compressing takes seconds. */
export const cache: string = new URL("../../../dist/cache", import.meta.url).pathname;

/** The files of one bundle in the cache, with the times at which they were written. */
export const cachedOf = (bundle: string): [file: string, writtenAt: number][] =>
  readdirSync(cache)
    .filter((name) => name.startsWith(`${bundle}-`))
    .map((name) => [name, statSync(join(cache, name)).mtimeMs]);
