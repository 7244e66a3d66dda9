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

/**
 * Makes an `import … from "graphql"` mean the asset that `load("graphql")` evaluates. graphql knows its own types by
 * their classes, so that a second copy of it, for our code or for graphql-ws, would refuse every schema of the first.
 * Whatever imports it is evaluated when it is first used: only scripts that are reached by `import()` may.
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
        // Less Node's own marks of a CommonJS module.
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

/**
 * Gives a package that makes a `require` of its own (crossws, for the `ws` inside it) one that knows Node's modules only:
 * in a script there is no file that `createRequire(import.meta.url)` could speak of, and what a user's folders hold of
 * `bufferutil` is not to be loaded.
 */
export function requireBuiltins(): Plugin {
  const made = /import\s*\{\s*createRequire as (\w+)\s*\}\s*from\s*["']node:module["'];?/;
  return {
    name: "require-builtins",
    transform: {
      filter: { id: /\/node_modules\/crossws\//, code: made },
      handler: (code) =>
        code
          .replace(
            made,
            `const $1 = () => (name) => {
  const found = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(name + " is not part of this executable");
  return found;
};`,
          )
          .replaceAll("import.meta.url", "undefined"),
    },
  };
}

/**
 * Gives graphql's executor a signal for resolvers that is made when one asks for it, which ours do not. Its own aborts one at
 * the end of each execution: the exception alone, with its stack, is more than half of the time that a small query takes.
 */
export function lightenGraphql(): Plugin {
  const eager =
    /this\.resolverAbortController = new AbortController\(\);\s*this\.sharedExecutionContext = (.+?)\(this\.resolverAbortController\.signal\);/;
  const lazy = `const made = lazyAbort();
this.resolverAbortController = made;
this.sharedExecutionContext = $1(undefined);
this.sharedExecutionContext.getAbortSignal = () => made.signal;`;
  const lazyAbort = `
function lazyAbort() {
  let controller, aborted = false, why;
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (aborted) controller.abort(why);
      }
      return controller.signal;
    },
    abort(reason) {
      if (aborted) return;
      aborted = true;
      why = reason;
      controller?.abort(reason);
    },
  };
}
`;
  return {
    name: "lighten-graphql",
    transform: {
      filter: { id: /\/node_modules\/graphql\/execution\/Executor\.m?js$/ },
      handler(code) {
        if (!eager.test(code)) throw new Error("graphql's executor is another: look at lightenGraphql");
        return code.replace(eager, lazy) + lazyAbort;
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
