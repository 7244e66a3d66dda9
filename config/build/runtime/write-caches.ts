import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { evaluated } from "../../../src/lib/asset.ts";

/** Where the rehearsal leaves what it has learned: beside itself, where the build looks. */
const folder = `${dirname(process.execPath)}/learned`;

export function prepare(): void {
  mkdirSync(folder, { recursive: true });
}

/** Writes whole or not at all, so that the build never reads half a file. */
export function write(name: string, content: string | Uint8Array): void {
  const temporary = `${folder}/.${name}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, `${folder}/${name}`);
}

/** Writes V8's cache of each script on this thread but those, with what has been compiled of it until now. */
export function writeCaches(but: ReadonlySet<string> = new Set()): void {
  for (const [name, { script }] of evaluated) {
    if (!but.has(name)) write(`${name}.cache`, script.createCachedData());
  }
}
