import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toDocumentTypes } from "./build/documents.ts";

const root = new URL("..", import.meta.url).pathname;
const folder = "src/surfaces/web/page";
const pages = join(root, folder);

/** Returns the declaration files of the documents of the pages by their paths there, as they have to be. */
export const makePageTypes = (): Map<string, string> =>
  new Map(
    [...toDocumentTypes(pages, join(root, "docs/schema.graphql"))].map(([path, types]) => [
      path,
      execFileSync(
        join(root, "node_modules/.bin/oxfmt"),
        ["--config", join(root, "config/oxfmt.json"), `--stdin-filepath=${join(pages, path)}`],
        { input: types, encoding: "utf8" },
      ),
    ]),
  );

/** Returns all declaration files of documents by their paths there, as they are. */
export const readPageTypes = (): Map<string, string> =>
  new Map(
    globSync("**/{documents,schema}.d.ts", { cwd: pages }).map((path) => [
      path,
      readFileSync(join(pages, path), "utf8"),
    ]),
  );

if (import.meta.main) {
  try {
    const made = makePageTypes();
    const kept = readPageTypes();
    const old = [...new Set([...kept.keys(), ...made.keys()])].filter(
      (path) => kept.get(path) !== made.get(path),
    );
    if (process.argv.includes("--check") && old.length > 0)
      throw new Error(`Out of date: ${old.map((path) => join(folder, path)).join(", ")}. Run make docs.`);
    for (const path of old) {
      const types = made.get(path);
      if (types === undefined) rmSync(join(pages, path));
      else writeFileSync(join(pages, path), types);
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
