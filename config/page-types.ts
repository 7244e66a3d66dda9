import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toDocumentTypes } from "./build/documents.ts";

const root = new URL("..", import.meta.url).pathname;
const pages = join(root, "src/surfaces/web/page");
const file = join(pages, "documents.d.ts");

/** Returns the types of the documents of the pages, as documents.d.ts has them. */
export const pageTypes = (): string =>
  execFileSync(
    join(root, "node_modules/.bin/oxfmt"),
    ["--config", join(root, "config/oxfmt.json"), `--stdin-filepath=${file}`],
    { input: toDocumentTypes(pages, join(root, "docs/schema.graphql")), encoding: "utf8" },
  );

if (import.meta.main) {
  try {
    const types = pageTypes();
    if (!process.argv.includes("--check")) writeFileSync(file, types);
    else if (readFileSync(file, "utf8") !== types)
      throw new Error("src/surfaces/web/page/documents.d.ts is out of date: run make docs.");
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
