import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GCProfiler, setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { packScripts } from "./scripts.ts";

/**
 * Packs scripts with V8's code cache of each. The cache of a script has every function of it, because what has been compiled
 * after some use depends on the machine and on time: the same scripts give the same bytes everywhere.
 */
export function packWithCaches(scripts: Readonly<Record<string, string>>): Uint8Array {
  // Strings keep their hashes in a cache; V8 computes them anew with the seed of the process that reads it.
  const flags = ["--hash-seed=1", "--no-flush-bytecode", ...freshMemory];
  // NODE_OPTIONS would change what V8 makes, and the caches of NODE_COMPILE_CACHE how much it has numbered before.
  const folder = mkdtempSync(join(tmpdir(), "penknife-code-cache-"));
  try {
    const [input, output] = [join(folder, "scripts.json"), join(folder, "packed")];
    writeFileSync(input, JSON.stringify(scripts));
    execFileSync(process.execPath, [...flags, import.meta.filename, input, output], { env: {} });
    const packed = readFileSync(output);
    requireAccepted(packed, scripts);
    return packed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * A cache has the padding of V8's objects, which V8 does not initialize: where memory was in use before, it has what was there.
 * When V8 collects garbage depends on the memory and the load of the machine. So it has these megabytes to fill before it
 * collects, and no other thread takes memory to optimize functions.
 */
const freshMemory = [
  "--min-semi-space-size=512",
  "--initial-old-space-size=2048",
  "--no-concurrent-recompilation",
];

/** The flags of the process as they are by default. A cache names the flags with which it was made, and is rejected under others. */
const defaults = ["--lazy", "--hash-seed=0", "--flush-bytecode", "--initial-old-space-size=0"];

/** V8 rejects caches silently, and the executable would start slowly. */
function requireAccepted(packed: Buffer, scripts: Readonly<Record<string, string>>): void {
  const index = packed.toString("latin1", 0, packed.indexOf("\n\n"));
  for (const line of index.split("\n").slice(1)) {
    const [name = "", _, end, cacheEnd] = line.split(" ");
    const cachedData = packed.subarray(Number(end), Number(cacheEnd));
    const { cachedDataRejected } = new Script(scripts[name] ?? "", { cachedData });
    if (cachedDataRejected !== false) throw new Error(`V8 rejects the code cache of ${name}`);
  }
}

/** Runs in a process of its own, whose only work this is: V8 numbers scripts and functions in the order in which they come. */
function compile(scripts: Readonly<Record<string, string>>): Uint8Array {
  const profiler = new GCProfiler();
  profiler.start();
  setFlagsFromString("--no-lazy");
  const compiled = Object.entries(scripts).map(
    ([name, code]) => [name, new Script(code, { filename: `penknife/${name}.cjs` })] as const,
  );
  for (const flag of defaults) setFlagsFromString(flag);
  const caches = Object.fromEntries(compiled.map(([name, script]) => [name, script.createCachedData()]));
  const collections = profiler.stop()?.statistics.length;
  if (collections !== 0)
    throw new Error(
      `V8 collected garbage ${String(collections)} times; see freshMemory in ${import.meta.filename}`,
    );
  return packScripts(scripts, caches);
}

if (import.meta.main) {
  // Reading from a pipe would run functions that depend on when its data arrive.
  const [input = "", output = ""] = process.argv.slice(2);
  writeFileSync(output, compile(JSON.parse(readFileSync(input, "utf8")) as Record<string, string>));
}
