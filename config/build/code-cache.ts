import { execFileSync } from "node:child_process";
import { Script } from "node:vm";
import { setFlagsFromString } from "node:v8";
import { packScripts } from "./scripts.ts";

/**
 * Packs scripts with V8's code cache of each. The cache of a script has every function of it, because what has been compiled
 * after some use depends on the machine and on time: the same scripts give the same bytes everywhere.
 */
export function packWithCaches(scripts: Readonly<Record<string, string>>): Uint8Array {
  // Strings keep their hashes in a cache; V8 computes them anew with the seed of the process that reads it.
  const flags = ["--hash-seed=1", "--no-flush-bytecode"];
  // NODE_OPTIONS would change what V8 makes, and the caches of NODE_COMPILE_CACHE how much it has numbered before.
  const packed = execFileSync(process.execPath, [...flags, import.meta.filename], {
    env: {},
    input: JSON.stringify(scripts),
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["pipe", "pipe", "inherit"],
  });
  requireAccepted(packed, scripts);
  return packed;
}

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
  setFlagsFromString("--no-lazy");
  const compiled = Object.entries(scripts).map(
    ([name, code]) => [name, new Script(code, { filename: `penknife/${name}.cjs` })] as const,
  );
  // A cache names the flags with which it was made, and is rejected under others.
  for (const flag of ["--lazy", "--hash-seed=0", "--flush-bytecode"]) setFlagsFromString(flag);
  return packScripts(
    scripts,
    Object.fromEntries(compiled.map(([name, script]) => [name, script.createCachedData()])),
  );
}

if (import.meta.main) {
  const input: Buffer[] = [];
  for await (const chunk of process.stdin) input.push(chunk as Buffer);
  process.stdout.write(compile(JSON.parse(Buffer.concat(input).toString()) as Record<string, string>));
}
