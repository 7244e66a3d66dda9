import { readFileSync, writeFileSync } from "node:fs";

// A registry mirror may lack the packages of other platforms (compiled parts of rolldown, oxlint and oxfmt). `npm install`
// then leaves them out of the lock file, and `npm ci` refuses that file everywhere. Run after a change of dependencies:
// adds what is missing, with the version that is asked for and the platform that its name tells, but without a hash.
interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const path = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Entry> };
const platform =
  /[-/](aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|wasm32|win32)-([a-z0-9]+)(?:-([a-z]+))?$/;

let added = 0;
for (const [parent, { dev, optionalDependencies }] of Object.entries(lock.packages)) {
  if (parent === "") continue;
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    // Another version at the top is another package's: then this one's lies inside it.
    const top = `node_modules/${name}`;
    const key = lock.packages[top]?.version === undefined ? top : `${parent}/${top}`;
    const [, os, cpu, abi = ""] = platform.exec(name) ?? [];
    if (os === undefined || cpu === undefined) continue;
    if (lock.packages[top]?.version === version || lock.packages[key]?.version === version) continue;
    lock.packages[key] = {
      version,
      cpu: [os === "wasm32" ? "wasm32" : cpu],
      ...(dev === true && { dev }),
      ...(abi.startsWith("musl") ? { libc: ["musl"] } : abi.startsWith("gnu") ? { libc: ["glibc"] } : {}),
      optional: true,
      ...(os !== "wasm32" && { os: [os] }),
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`package-lock.json: ${added} packages of other platforms added\n`);
