import { getAssetKeys, getRawAsset } from "node:sea";
import { Script } from "node:vm";

// Replaced by the build; in a source tree it does not exist.
declare const PENKNIFE_VERSION: string | undefined;

/** Whether this runs from the single executable, whose files are assets, or from a source tree. */
export const executable: boolean = typeof PENKNIFE_VERSION !== "undefined";

/** Text of a file inside the executable. Throws where there is none of that name. */
export function readAsset(name: string): string {
  return Buffer.from(getRawAsset(name) as ArrayBuffer).toString();
}

/** Bytes of a file inside the executable, which are not to be written to. Throws where there is none of that name. */
export const readAssetBytes = (name: string): Uint8Array => new Uint8Array(getRawAsset(name) as ArrayBuffer);

/** A script that has been evaluated. */
export interface Evaluated {
  script: Script;
  module: { exports: unknown };
}

/** What has been evaluated on this thread, by the names of the assets, in that order. */
export const evaluated = new Map<string, Evaluated>();

/** Evaluates, once, a script that the build made of modules, and returns their exports. */
export function runAsset(name: string): unknown {
  const known = evaluated.get(name);
  if (known !== undefined) return known.module.exports;
  const script = compile(name);
  const module = { exports: {} };
  evaluated.set(name, { script, module });
  // A function of `exports`, `require` and `module`, as CommonJS has it.
  const run = script.runInThisContext() as (exports: unknown, require: unknown, module: unknown) => void;
  run(module.exports, requireFrom, module);
  return module.exports;
}

/** V8's code cache lies beside each script; where that does not fit this V8 it is ignored. */
function compile(name: string): Script {
  const cache = `${name}.cache`;
  // Scripts are ASCII: nothing to decode.
  const code = Buffer.from(getRawAsset(name) as ArrayBuffer).toString("latin1");
  return new Script(code, {
    filename: `penknife/${name}.cjs`,
    ...(getAssetKeys().includes(cache) && { cachedData: new Uint8Array(getRawAsset(cache) as ArrayBuffer) }),
  });
}

/** Beside a script there are the others of its bundle and Node's own modules; in a worker the usual `require` would look for files. */
function requireFrom(id: string): unknown {
  if (id.startsWith("./")) return runAsset(id.slice(2, -".js".length));
  const found = process.getBuiltinModule(id);
  if (found === undefined) throw new Error(`${id} is not part of this executable`);
  return found;
}
