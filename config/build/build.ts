import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { applyPatches } from "../patches/apply.ts";
import { buildExecutable } from "./executable.ts";
import { buildGraphiql } from "./graphiql.ts";
import { penknife } from "./penknife.ts";
import { parseTarget } from "./target.ts";
import { buildTab } from "./tab.ts";
import { buildWeb } from "./web.ts";

// Builds dist/penknife. TARGET=linux-arm64 builds for another platform; COMMIT names the commit where there is no git.
const root = new URL("../../", import.meta.url).pathname;
const target = parseTarget(process.env["TARGET"]);
const output = join(root, "dist", target.native ? "penknife" : `penknife-${target.name}`);
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const startedAt = performance.now();

try {
  applyPatches();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}

const pages = await Promise.all([buildGraphiql, buildWeb, buildTab].map((build) => build(penknife.cache)));
const assets = Object.assign({}, ...pages.map((page) => page.assets)) as Record<string, Uint8Array>;
// A server that runs from the source tree reads them there. Names of an earlier build are other ones.
rmSync(join(root, "dist/web"), { recursive: true, force: true });
for (const [name, bytes] of Object.entries(assets)) {
  mkdirSync(dirname(join(root, "dist", name)), { recursive: true });
  writeFileSync(join(root, "dist", name), bytes);
}

const { packages, scripts, start, lines, notes } = await buildExecutable({
  ...penknife,
  assets,
  assetFiles: pages.flatMap(({ files }) => files),
  target,
  version,
  commit: process.env["COMMIT"] || readCommit(),
  output,
});

mkdirSync(join(root, "dist"), { recursive: true });
const shown = { ...start, files: start.files.map((file) => relative(root, file)) };
// For `make sbom` and the tests.
writeFileSync(
  join(root, target.native ? "dist/bundle.json" : `dist/bundle-${target.name}.json`),
  `${JSON.stringify({ target: target.name, packages, scripts, start: shown, lines }, null, 2)}\n`,
);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
for (const note of notes) process.stderr.write(`note: ${note}\n`);
process.stdout.write(
  `${output.slice(root.length)}: ${megabytes(statSync(output).size)}, a start evaluates ${megabytes(sum(start.scripts.map((name) => scripts[name] ?? 0)))} of ours, ` +
    `${packages.length - 1} packages, in ${seconds} s\n`,
);

function readCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
  try {
    return git("rev-parse", "--short=12", "HEAD") + (git("status", "--porcelain") === "" ? "" : "+");
  } catch {
    return "unknown";
  }
}
