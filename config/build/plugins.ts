import { isBuiltin } from "node:module";
import { brotliCompressSync, constants } from "node:zlib";
import type { Plugin } from "rolldown";

/** Built-in modules that a start and a small request do not use, and that take time to load. */
const lateBuiltins = new Set([
  "child_process",
  "cluster",
  "crypto",
  "diagnostics_channel",
  "dns",
  "fs/promises",
  "http2",
  "https",
  "inspector",
  "module",
  "perf_hooks",
  "readline",
  "stream/promises",
  "tls",
  "tty",
  "util",
  "v8",
  "vm",
  "worker_threads",
  "zlib",
]);

/** Begins the names of the modules that `postponeBuiltins` makes. */
export const postponed = "\0postponed:";

/**
 * Replaces each import of a module above by an object of getters; the first getter that is read loads the module. The
 * names are those of the Node that builds, which is the Node that ships.
 */
export function postponeBuiltins(): Plugin {
  return {
    name: "postpone-builtins",
    resolveId: {
      handler: (id, _importer, { kind }) => {
        const name = id.replace(/^node:/, "");
        // The executable compiles its scripts without a loader for `import()`, so that built-in modules come this way too.
        const late = kind === "dynamic-import" ? isBuiltin(id) : lateBuiltins.has(name);
        return late ? { id: `${postponed}node:${name}`, moduleSideEffects: false } : null;
      },
    },
    load: {
      filter: { id: new RegExp(`^${postponed}`) },
      handler: (id) => {
        const name = id.slice(postponed.length);
        const names = Object.keys(process.getBuiltinModule(name) as object);
        const getters = names.map((key) => `get ${JSON.stringify(key)}() { return real().${key}; }`);
        return `let found;
const real = () => (found ??= process.getBuiltinModule(${JSON.stringify(name)}));
module.exports = { ${getters.join(", ")} };${name === "node:module" ? builtinsOnly : ""}`;
      },
    },
  };
}

/** The texts of tables that `config/kubernetes-types.ts` writes: an eighth of their size, and unpacked by whoever imports them. */
export function packTexts(): Plugin {
  return {
    name: "pack-texts",
    transform: {
      filter: { id: /\/src\/lib\/kubernetes\/data\/[\w-]+\.ts$/ },
      handler: (code) => {
        const [, text] = /^export const text = `([^`]*)`;$/m.exec(code) ?? [];
        if (text === undefined) throw new Error("a table must be one text");
        const packed = brotliCompressSync(text, {
          params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
        });
        return `import { brotliDecompressSync } from "node:zlib";
export const text = brotliDecompressSync(Buffer.from("${packed.toString("base64")}", "base64")).toString();`;
      },
    },
  };
}

/**
 * `createRequire` of the executable (crossws calls it for the `ws` inside it) finds built-in modules only: a script has no
 * file to resolve from, and a `bufferutil` in a folder of the user must not be loaded.
 */
const builtinsOnly = `
Object.defineProperty(module.exports, "createRequire", { value: () => (name) => {
  const found = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(name + " is not part of this executable");
  return found;
} });`;

/**
 * Makes `import … from "graphql"` read the asset that `load("graphql")` evaluates. graphql compares its types by their
 * classes, so a second copy, for our code or for graphql-ws, would refuse every schema of the first. Only scripts behind an
 * `import()` may import it, because evaluating them loads the library.
 */
export function shareLibraries(names: readonly string[]): Plugin {
  const prefix = "\0shared:";
  const asset = new URL("../../src/lib/asset.ts", import.meta.url).pathname;
  return {
    name: "share-libraries",
    resolveId: (id) => (names.includes(id) ? { id: prefix + id, moduleSideEffects: false } : null),
    load: {
      filter: { id: new RegExp(`^${prefix}`) },
      async handler(id) {
        const name = id.slice(prefix.length);
        // Node marks a CommonJS module with these names.
        const exported = Object.keys((await import(name)) as object).filter(
          (key) => !["default", "module.exports", "__esModule"].includes(key),
        );
        const members = exported.map((key) => `export const ${key} = /* @__PURE__ */ read("${key}");`);
        return `import { runAsset } from ${JSON.stringify(asset)};
const read = (key) => runAsset(${JSON.stringify(`library/${name}`)})[key];
${members.join("\n")}`;
      },
    },
  };
}

/** Removes the `import()` calls of `load()`: in the executable it reads the libraries from assets. */
export function leaveOutLibraries(): Plugin {
  return {
    name: "leave-out-libraries",
    transform: {
      filter: { id: /\/src\/lib\/load\.ts$/ },
      handler: (code) => code.replace(/=>\s*import\((["'])[^"']+\1\)/g, "=> undefined"),
    },
  };
}
