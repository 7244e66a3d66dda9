import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Folders with files to check, each a repository of Git. Every run has the same files. */

const name = (at: number, kind: string): string => `part-${at % 100}/file-${at}.${kind}`;

/** A document of 60 bytes to 4 KB that formatters of all styles leave as it is: no arrays, which some put on one line. */
function documentOf(at: number): Record<string, unknown> {
  const entries = Array.from({ length: 1 + ((at * 7919) % 24) }, (_, index): [string, unknown] => [
    `entry-${index}`,
    {
      id: at + index,
      title: `Customer ${index}`,
      city: index % 3 ? "Lisbon" : "Zürich",
      balance: index * 1.5,
      active: index % 2 === 0,
      address: { street: "Main Street", number: index % 200 },
    },
  ]);
  return Object.fromEntries(entries);
}

/** Indented YAML of nested mappings, as formatters leave it. */
function toYaml(value: object, indent = ""): string {
  return Object.entries(value)
    .map(([key, each]) =>
      typeof each === "object" && each !== null
        ? `${indent}${key}:\n${toYaml(each, `${indent}  `)}`
        : `${indent}${key}: ${String(each)}\n`,
    )
    .join("");
}

/** Writes files of JSON, and as many of YAML if wanted, with the list of checks, and commits them. */
export function writeTree(
  folder: string,
  { json, yaml, checks }: { json: number; yaml: number; checks: Readonly<Record<string, string>> },
): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (let at = 0; at < json; at++)
    write(name(at, "json"), `${JSON.stringify(documentOf(at), undefined, 2)}\n`);
  for (let at = 0; at < yaml; at++) write(name(at, "yaml"), toYaml(documentOf(at)));
  const entries = Object.entries(checks).map(([tool, files]) => `  - tool: ${tool}\n    files: "${files}"\n`);
  write("penknife.checks.yaml", `checks:\n${entries.join("")}`);
  const git = (...words: string[]): void => {
    const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com"];
    execFileSync("git", [...identity, ...words], { cwd: folder, stdio: "ignore" });
  };
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Files to check");
}
