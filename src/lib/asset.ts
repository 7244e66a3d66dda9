import { getRawAsset } from "node:sea";
import { Script } from "node:vm";

// Replaced by the build; undefined in a source tree.
declare const PENKNIFE_VERSION: string | undefined;

/** Whether this runs from the single executable, whose files are assets, or from a source tree. */
export const executable: boolean = typeof PENKNIFE_VERSION !== "undefined";

/** Returns the text of a file inside the executable. Throws if it does not exist. */
export function readAsset(name: string): string {
  return Buffer.from(getRawAsset(name) as ArrayBuffer).toString();
}

/**
 * Returns the bytes of a file inside the executable, which must not be modified. Throws if it does not exist.
 */
export const readAssetBytes = (name: string): Uint8Array => new Uint8Array(getRawAsset(name) as ArrayBuffer);

/** An evaluated script. */
export interface Evaluated {
  script: Script;
  module: { exports: unknown };
}

/** Scripts evaluated on this thread, by name, in order. */
export const evaluated = new Map<string, Evaluated>();

/** Evaluates a script of bundled modules once, and returns their exports. */
export function runAsset(name: string): unknown {
  const known = evaluated.get(name);
  if (known !== undefined) return known.module.exports;
  const script = compile(name);
  const module = { exports: {} };
  evaluated.set(name, { script, module });
  // A CommonJS function of `exports`, `require` and `module`.
  const run = script.runInThisContext() as (exports: unknown, require: unknown, module: unknown) => void;
  run(module.exports, requireFrom, module);
  return module.exports;
}

let scripts: { bytes: Buffer; index: string } | undefined;

/** V8's code cache stands behind each script that has one; V8 ignores it if it does not fit. */
function compile(name: string): Script {
  const { bytes, index } = (scripts ??= openScripts());
  const at = index.indexOf(`\n${name} `);
  if (at === -1) throw new Error(`${name} is not part of this executable`);
  const line = index.slice(at + 1, index.indexOf("\n", at + 1));
  const [start = 0, end = 0, cacheEnd = 0] = line.split(" ").slice(1).map(Number);
  // Scripts are ASCII: nothing needs decoding.
  return new Script(bytes.toString("latin1", start, end), {
    filename: `penknife/${name}.cjs`,
    ...(cacheEnd > end && { cachedData: bytes.subarray(end, cacheEnd) }),
  });
}

/**
 * All scripts are one asset, because Node copies its table of assets for each that is read: `config/build/scripts.ts`
 * describes its format.
 */
function openScripts(): { bytes: Buffer; index: string } {
  const bytes = Buffer.from(getRawAsset("scripts") as ArrayBuffer);
  return { bytes, index: bytes.toString("latin1", 0, bytes.indexOf("\n\n") + 1) };
}

/**
 * A script can require other scripts of its bundle and Node's modules; in a worker, the usual `require` would
 * look for files.
 */
function requireFrom(id: string): unknown {
  if (id.startsWith("./")) return runAsset(id.slice(2, -".js".length));
  const found = process.getBuiltinModule(id);
  if (found === undefined) throw new Error(`${id} is not part of this executable`);
  return found;
}
