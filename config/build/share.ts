import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scripts } from "../../src/surfaces/cli/completion/scripts.ts";
import { manPages } from "./man-pages.ts";

// Writes what `make install` puts beside the executable: dist/share, with the folders of /usr/share.
const root = new URL("../../", import.meta.url).pathname;

/** Returns the files by their path in `share`. */
export async function shareFiles(): Promise<Map<string, string>> {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const found = new Map([
    ["bash-completion/completions/penknife", scripts.bash],
    ["zsh/site-functions/_penknife", scripts.zsh],
    ["fish/vendor_completions.d/penknife.fish", scripts.fish],
  ]);
  for (const [name, text] of await manPages({ version, date: dateOfSource() }))
    found.set(`man/man1/${name}`, text);
  return found;
}

/** The date of the commit, so that the same source gives the same files. */
function dateOfSource(): Date {
  const given = process.env["SOURCE_DATE_EPOCH"];
  if (given !== undefined) return new Date(Number(given) * 1000);
  try {
    const options = { cwd: root, encoding: "utf8", stdio: "pipe" } as const;
    return new Date(Number(execFileSync("git", ["log", "-1", "--format=%ct"], options)) * 1000);
  } catch {
    return new Date();
  }
}

if (import.meta.main) {
  const output = join(root, "dist/share");
  rmSync(output, { recursive: true, force: true });
  for (const [path, text] of await shareFiles()) {
    mkdirSync(dirname(join(output, path)), { recursive: true });
    writeFileSync(join(output, path), text);
  }
}
