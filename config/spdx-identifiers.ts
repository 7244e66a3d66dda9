import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Writes the identifiers of the SPDX licence list into src/lib/spdx/identifiers.ts: `make spdx-identifiers`. Two packages of npm have
// them as JSON; none of their code runs.
const packages = [
  { name: "spdx-license-ids", version: "3.0.24", licence: "CC0-1.0" },
  { name: "spdx-exceptions", version: "2.5.0", licence: "CC-BY-3.0" },
] as const;

const root = new URL("../", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "spdx-identifiers-"));

function readNames(path: string): string[] {
  return (JSON.parse(readFileSync(join(folder, path), "utf8")) as string[]).toSorted((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  );
}

/** Breaks a list of names into lines. */
function wrap(names: readonly string[]): string {
  const lines = [""];
  for (const name of names) {
    const last = lines.at(-1) ?? "";
    if (last.length + name.length > 110) lines.push(name);
    else lines[lines.length - 1] = last === "" ? name : `${last} ${name}`;
  }
  return lines.join("\n");
}

try {
  const lists: string[][] = [];
  for (const { name, version } of packages) {
    const options = { cwd: folder, encoding: "utf8" } as const;
    const archive = execFileSync("npm", ["pack", "--silent", `${name}@${version}`], options).trim();
    execFileSync("tar", ["xzf", archive], options);
    lists.push(readNames("package/index.json"));
    if (name === "spdx-license-ids") lists.push(readNames("package/deprecated.json"));
    rmSync(join(folder, "package"), { recursive: true });
  }
  const [current = [], deprecated = [], exceptions = []] = lists;
  const sources = packages
    .map(({ name, version, licence }) => `${name} ${version} (${licence})`)
    .join(" and ");
  writeFileSync(
    join(root, "src/lib/spdx/identifiers.ts"),
    `// Written by config/spdx-identifiers.ts from ${sources}, which have them from the SPDX project. Do not edit.
const split = (names: string): string[] => names.split(/\\s+/);

/** Identifiers of the SPDX licence list. */
export const licenseIds: readonly string[] = split(\`${wrap(current)}\`);

/** Identifiers that the list had, which are still valid. */
export const deprecatedIds: readonly string[] = split(\`${wrap(deprecated)}\`);

/** Identifiers of exceptions, for the right side of WITH. */
export const exceptionIds: readonly string[] = split(\`${wrap(exceptions)}\`);
`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
