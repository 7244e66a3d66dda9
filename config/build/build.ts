import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { libraries } from "../../src/lib/load.ts";
import { buildExecutable } from "./executable.ts";
import { parseTarget } from "./target.ts";

// Builds dist/penknife. TARGET=linux-arm64 builds for another platform; COMMIT names the commit where there is no git.
const root = new URL("../../", import.meta.url).pathname;
const target = parseTarget(process.env["TARGET"]);
const output = join(root, "dist", target.native ? "penknife" : `penknife-${target.name}`);
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const inSource = (path: string): string => join(root, "src", path);
const startedAt = performance.now();

const { packages, scripts, start, notes } = await buildExecutable({
  target,
  main: join(root, "src/main.ts"),
  worker: join(root, "src/worker.ts"),
  together: {
    // What every command needs, and what it shares with the server.
    main: ["main.ts", "config.ts", "catalog/catalog.ts", "catalog/run.ts", "lib/load.ts"].map(inSource),
    serve: ["app.ts", "surfaces/cli/serve.ts"].map(inSource),
  },
  // A thread is made ready before it is needed: what every tool imports is evaluated by then.
  workerTogether: {
    "worker-main": [
      inSource("worker.ts"),
      inSource("catalog/tool.ts"),
      fileURLToPath(new URL(".", import.meta.resolve("zod"))),
    ],
  },
  libraries: Object.keys(libraries),
  version,
  commit: process.env["COMMIT"] || readCommit(),
  output,
  cache: join(root, "dist/cache"),
  rehearsal: {
    args: (port) => ["serve", "--host", "127.0.0.1", "--port", String(port)],
    requests: [
      { method: "GET", path: "/healthz" },
      { method: "POST", path: "/api/tools/json-formatter", body: '{"data":"[1]"}' },
      { method: "POST", path: "/api/tools/regex-tester", body: '{"data":"aab","pattern":"a+"}' },
      // Evaluates every tool.
      { method: "GET", path: "/api/tools" },
      { method: "GET", path: "/metrics" },
    ],
    worker: true,
  },
});

mkdirSync(join(root, "dist"), { recursive: true });
const shown = { ...start, files: start.files.map((file) => relative(root, file)) };
// For `make sbom` and the tests.
writeFileSync(
  join(root, target.native ? "dist/bundle.json" : `dist/bundle-${target.name}.json`),
  `${JSON.stringify({ target: target.name, packages, scripts, start: shown }, null, 2)}\n`,
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
