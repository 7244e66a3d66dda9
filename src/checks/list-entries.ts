import { type Dirent, readdirSync } from "node:fs";
import { decodeFileName } from "../lib/file-name.ts";

export interface Entry {
  name: string;
  kind: "file" | "folder" | "link" | "other";
}

/** Lists a folder. @throws the error of the operating system */
export function listEntries(path: string | Buffer): Entry[] {
  const entries = readdirSync(path, { withFileTypes: true });
  // The character that stands for bytes that are not UTF-8.
  if (!entries.some(({ name }) => name.includes("\ufffd")))
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  return readdirSync(path, { withFileTypes: true, encoding: "buffer" }).map((entry) => ({
    name: decodeFileName(entry.name),
    kind: kindOf(entry),
  }));
}

function kindOf(entry: Dirent<string | Buffer>): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
