import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fetchBase, type Target } from "./target.ts";

export interface Executable {
  target: Target;
  /** The main script, CommonJS. */
  main: string;
  /** Read with `sea.getRawAsset(name)`. */
  assets: Record<string, string | Uint8Array>;
  output: string;
  /** Folder for stripped copies of Node between builds. */
  cache: string;
}

/** Megabytes of a half of V8's young generation; it grows from there as by default. Code caches hold under any. */
const semiSpaceMb = 4;

/** Writes one executable: Node without its symbols, our script and our assets inside. Returns messages for the person who builds. */
export function writeExecutable({ target, main, assets, output, cache }: Executable): string[] {
  const notes: string[] = [];
  mkdirSync(dirname(output), { recursive: true });
  const work = mkdtempSync(join(dirname(output), ".sea-"));
  try {
    const paths: Record<string, string> = {};
    for (const [index, [name, content]] of Object.entries(assets).entries()) {
      paths[name] = join(work, `asset-${index}`);
      writeFileSync(paths[name], content);
    }
    const config = {
      // Relative, because stack traces show this path.
      main: "main.cjs",
      mainFormat: "commonjs",
      executable: strippedBase(target, cache, notes),
      output: join(work, "executable"),
      disableExperimentalSEAWarning: true,
      // The main script is small; the cache would differ in each build (`code-cache.ts`).
      useCodeCache: false,
      // A start fills V8's initial 1 MB twice, and each collection pauses it.
      // A debugger that a signal opens could read every key.
      // node:ffi is experimental; the version of Node is a part of the executable.
      execArgv: [
        `--min-semi-space-size=${semiSpaceMb}`,
        "--disable-sigusr1",
        "--disable-warning=ExperimentalWarning",
      ],
      // A worker process gets its permissions from NODE_OPTIONS; a command refuses to run with any. Never "cli": then a
      // file named --node-options=--require=./x.js would be run as code by `penknife check *`.
      execArgvExtension: "env",
      assets: paths,
    };
    writeFileSync(join(work, config.main), main);
    writeFileSync(join(work, "config.json"), JSON.stringify(config));
    execFileSync(process.execPath, ["--build-sea", "config.json"], {
      cwd: work,
      stdio: ["ignore", "ignore", "inherit"],
    });
    // An unsigned program is killed at once on Apple silicon.
    if (target.os === "darwin") execFileSync("codesign", ["--sign", "-", "--force", config.output]);
    chmodSync(config.output, 0o755);
    // A rename leaves a server that runs from the old file undisturbed.
    renameSync(config.output, output);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return notes;
}

/** A copy of the target's Node without symbols: 117 MB instead of 150, and it starts faster. */
function strippedBase(target: Target, cache: string, notes: string[]): string {
  const base = target.native ? process.execPath : fetchBase(target, cache);
  // Homebrew's and Apple's strip would spoil the signature and the export table; Linux is what is shipped.
  if (target.os !== "linux") return base;
  const stripped = join(cache, `node-${process.versions.node}-${target.name}`);
  if (existsSync(stripped)) return stripped;
  const tool = [target.native ? "strip" : target.strip, "llvm-strip"].find(
    (name) => !spawnSync(name, ["--version"]).error,
  );
  if (tool === undefined) {
    notes.push(
      `no ${target.native ? "strip (package binutils)" : target.strip} here: the executable is 33 MB larger than it need be`,
    );
    return base;
  }
  mkdirSync(cache, { recursive: true });
  const temporary = `${stripped}.${process.pid}`;
  copyFileSync(base, temporary);
  execFileSync(tool, ["--strip-all", temporary]);
  renameSync(temporary, stripped);
  return stripped;
}
