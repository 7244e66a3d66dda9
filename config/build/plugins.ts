import { isBuiltin } from "node:module";
import type { Plugin } from "rolldown";

/**
 * Built-in modules that cost start-up time and that a small request does not need.
 * Every import of one becomes an object of getters; the real module is fetched by the first that is read.
 */
const lazyBuiltins = new Set([
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
  "v8",
  "vm",
  "worker_threads",
  "zlib",
]);

/** What listhen imports for its development features (tunnel, clipboard, QR code, self-signed certificates). */
const unusedByListhen: Record<string, string[]> = {
  "node-forge": [],
  "@parcel/watcher-wasm": ["createWrapper"],
  crossws: [],
  jiti: ["createJiti"],
  tinyclip: ["writeText"],
  untun: ["startTunnel"],
  uqr: ["renderUnicodeCompact"],
};

/** Postpones the built-in modules above. The names are those of the Node that builds, which is the Node that is shipped. */
export function postponeBuiltins(): Plugin {
  const prefix = "\0postponed:";
  return {
    name: "postpone-builtins",
    resolveId: {
      handler: (id, _importer, { kind }) => {
        const name = id.replace(/^node:/, "");
        // A script that is compiled by hand has no `import()`: there each built-in module is one of these.
        const postponed = kind === "dynamic-import" ? isBuiltin(id) : lazyBuiltins.has(name);
        return postponed ? { id: `${prefix}node:${name}`, moduleSideEffects: false } : null;
      },
    },
    load: {
      filter: { id: new RegExp(`^${prefix}`) },
      handler: (id) => {
        const name = id.slice(prefix.length);
        const names = Object.keys(process.getBuiltinModule(name) as object);
        const getters = names.map((key) => `get ${JSON.stringify(key)}() { return real().${key}; }`);
        return `let found;
const real = () => (found ??= process.getBuiltinModule(${JSON.stringify(name)}));
module.exports = { ${getters.join(", ")} };`;
      },
    },
  };
}

/** Replaces packages that are imported but never reached, so that touching one says what happened. */
export function refuseUnused(): Plugin {
  const prefix = "\0refused:";
  const consola = new URL("runtime/consola.ts", import.meta.url).pathname;
  const environment = new URL("runtime/std-env.ts", import.meta.url).pathname;
  return {
    name: "refuse-unused",
    resolveId(id, importer) {
      if (!importer?.includes("/node_modules/listhen/")) return null;
      if (id === "consola" || id === "consola/utils") return consola;
      if (id === "std-env") return environment;
      return id.split("/chunks/")[0] === ".." ||
        Object.keys(unusedByListhen).some((name) => id === name || id.startsWith(`${name}/`))
        ? { id: prefix + id, moduleSideEffects: false }
        : null;
    },
    load: {
      filter: { id: new RegExp(`^${prefix}`) },
      handler: (id) => {
        const name = id.slice(prefix.length);
        const names =
          unusedByListhen[
            name
              .split("/")
              .slice(0, name.startsWith("@") ? 2 : 1)
              .join("/")
          ] ?? [];
        return `const refuse = () => { throw new Error(${JSON.stringify(`${name} is not part of this executable`)}); };
export default new Proxy(refuse, { get: refuse, set: refuse });
${names.map((key) => `export const ${key} = refuse;`).join("\n")}
export const xdgOpenScript = refuse;`;
      },
    },
  };
}

/**
 * Gives h3 and srvx our light web classes (see runtime/web.ts): the first use of the global ones loads undici, 38 ms.
 * Only these two packages: our own code and other libraries see the real ones.
 */
export function lightenWeb(): Plugin {
  const web = new URL("runtime/web.ts", import.meta.url).pathname;
  return {
    name: "lighten-web",
    transform: {
      filter: {
        id: /\/node_modules\/(?:h3|srvx)\/dist\/.*\.mjs$/,
        code: /\b(?:Headers|Request|Response|ReadableStream|Blob)\b/,
      },
      handler: (code) => {
        const names = ["Headers", "Request", "Response", "ReadableStream", "Blob"].filter((name) =>
          new RegExp(`\\b${name}\\b`).test(code),
        );
        const qualified = code.replace(/\bglobalThis\.(Headers|Request|Response)\b(?!\s*=[^=])/g, "__web.$1");
        return `import * as __web from ${JSON.stringify(web)};import { ${names.join(", ")} } from ${JSON.stringify(web)};${qualified}`;
      },
    },
  };
}

/** Leaves the heavy libraries out of a script: in the executable `load()` reads their assets and never calls these. */
export function leaveOutLibraries(): Plugin {
  return {
    name: "leave-out-libraries",
    transform: {
      filter: { id: /\/src\/lib\/load\.ts$/ },
      handler: (code) => code.replace(/=>\s*import\((["'])[^"']+\1\)/g, "=> undefined"),
    },
  };
}
