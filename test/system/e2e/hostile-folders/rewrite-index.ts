import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./place.ts";

/** Gives an entry of the index another name of the same length, which Git would refuse (gitformat-index(5)). */
export function rewriteIndex({ folder }: Place, name: string, to: string): void {
  const path = join(folder, ".git/index");
  const index = readFileSync(path);
  const at = index.indexOf(`${name}\0`);
  if (at === -1 || name.length !== to.length) throw new Error(`${name} is no entry of the index`);
  index.write(to, at, "latin1");
  const content = index.subarray(0, -20);
  // Trees that are kept for unchanged folders name the old one.
  writeFileSync(path, Buffer.concat([content, createHash("sha1").update(content).digest()]));
}
