import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { describe, expect, test } from "vitest";
import { libraries } from "../../../src/lib/load.ts";
import { type Import, readImports, withoutComments } from "./imports.ts";

const root = new URL("../../../src/", import.meta.url);
const sources = new Map(
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.m?tsx?$/.test(path))
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => [path, readFileSync(new URL(path, root), "utf8")] as const),
);

/** Node modules without side effects: no time and no access to the outside. */
const pure = ["buffer", "crypto", "url", "util", "zlib"];

/** The parts that the composition of the server may import. */
const composed = [
  "app",
  "catalog",
  "tools",
  "services",
  "storage",
  "operations",
  "surfaces",
  "lib",
  "config.ts",
  "options.ts",
  "build-info.ts",
];

/** The imports that each part of src may have: other parts, and modules of npm and of Node. */
const layers: Record<string, { ours: string[]; npm: boolean | string[]; node: boolean | string[] }> = {
  lib: { ours: ["lib"], npm: true, node: [...pure, "module", "sea", "vm"] },
  catalog: { ours: ["catalog", "lib"], npm: false, node: true },
  tools: { ours: ["tools", "catalog", "lib"], npm: ["zod"], node: pure },
  storage: { ours: ["storage", "catalog", "lib"], npm: true, node: true },
  services: { ours: ["services", "storage", "catalog", "lib"], npm: true, node: true },
  operations: { ours: ["operations", "services", "storage", "catalog", "lib"], npm: ["zod"], node: true },
  checks: { ours: ["checks", "catalog", "lib"], npm: false, node: true },
  // Surfaces may import all types of storage, too.
  surfaces: {
    ours: [
      "catalog",
      "operations",
      "services",
      "checks",
      "lib",
      ...["errors", "unavailable", "records", "person", "window-counter", "address-counter"].map(
        (name) => `storage/${name}.ts`,
      ),
    ],
    npm: true,
    node: true,
  },
  // It runs in browsers and reaches the server over HTTP alone. Of the catalogue it may import types, and the search.
  "surfaces/web/page": {
    ours: ["lib", "catalog/search.ts"],
    npm: [
      "preact",
      "@preact/signals",
      "@codemirror/commands",
      "@codemirror/search",
      "@codemirror/state",
      "@codemirror/view",
    ],
    node: false,
  },
  "worker.ts": { ours: ["catalog", "tools", "worker-port.ts"], npm: false, node: true },
  // Runs in the worker of a browser's tab, where `polyfill` stands for modules of Node.
  "tab.ts": { ours: ["catalog", "tools"], npm: ["zod"], node: false },
  "tab-loader.ts": { ours: [], npm: false, node: false },
  polyfill: {
    ours: ["polyfill", "lib"],
    npm: ["@noble/hashes", "whatwg-url", ...Object.keys(libraries)],
    node: false,
  },
  "worker-port.ts": { ours: ["catalog", "lib"], npm: false, node: true },
  "config.ts": { ours: ["options.ts", "sign-in-faults.ts", "catalog", "lib"], npm: false, node: true },
  "sign-in-faults.ts": { ours: ["options.ts", "lib"], npm: false, node: false },
  "options.ts": { ours: ["lib"], npm: false, node: false },
  "runtime.ts": { ours: [], npm: false, node: false },
  "build-info.ts": { ours: ["lib"], npm: false, node: true },
  "app.ts": { ours: composed, npm: true, node: true },
  app: { ours: composed, npm: true, node: true },
  "program.ts": {
    ours: [
      "app.ts",
      "config.ts",
      "options.ts",
      "build-info.ts",
      "catalog",
      "tools",
      "services/workers",
      "surfaces/cli",
      "surfaces/graphql/schema",
      "surfaces/lsp",
      "surfaces/mcp/stdio",
      "lib",
    ],
    npm: false,
    node: false,
  },
  "main.ts": { ours: ["program.ts", "surfaces/cli", "lib"], npm: false, node: true },
};

/** The part that a file belongs to: a folder of src, or a file beside them. */
const partOf = (path: string): string =>
  path.startsWith("surfaces/web/page/") ? "surfaces/web/page" : (path.split("/")[0] as string);

function findViolation(path: string, { from, typeOnly }: Import): string | undefined {
  const layer = layers[partOf(path)];
  if (layer === undefined) return "is in no part of the house";
  if (from.startsWith(".")) {
    const target = new URL(from, new URL(path, root)).pathname.slice(root.pathname.length);
    // Each part takes the types of its options from their one list, and the clocks as one object.
    if (typeOnly && target === "runtime.ts" && !/^(?:lib|tools|surfaces\/web\/page)\//.test(path))
      return undefined;
    if (
      typeOnly &&
      target === "options.ts" &&
      /^(?:storage|services|operations|surfaces(?!\/web\/page))\//.test(path)
    )
      return undefined;
    if (typeOnly && target.startsWith("catalog/") && partOf(path) === "surfaces/web/page") return undefined;
    if (typeOnly && target.startsWith("storage/") && partOf(path) === "surfaces") return undefined;
    // What `program.ts` puts behind the commands is described where it is defined.
    const behindCommands =
      /^(?:app|config)\.ts$|^surfaces\/(?:mcp\/stdio\/serve-agent|lsp\/serve-editor)\.ts$/;
    if (typeOnly && path.startsWith("surfaces/cli/") && behindCommands.test(target)) return undefined;
    // The operator's socket lies in the folder of the store.
    if (path.startsWith("surfaces/socket/") && /^storage\/(?:folder|folder-socket)\.ts$/.test(target))
      return undefined;
    // Commands administer a store without a server, and name it.
    const opensStores = /^storage\/(?:storage|store-options|redis\/url)\.ts$/;
    if (path.startsWith("surfaces/cli/admin/") && opensStores.test(target)) return undefined;
    return mayImport(path, layer.ours, target) ? undefined : `imports ${target}`;
  }
  const name = from.replace(/^node:/, "");
  const node = from.startsWith("node:") || builtinModules.includes(from);
  const allowed = node ? layer.node : layer.npm;
  if (node && !from.startsWith("node:")) return `imports ${from} without node:`;
  // A type import loads nothing at run time.
  if (typeOnly || allowed === true) return undefined;
  const bare = node
    ? name
    : from
        .split("/")
        .slice(0, from.startsWith("@") ? 2 : 1)
        .join("/");
  return Array.isArray(allowed) && allowed.includes(bare) ? undefined : `imports ${from}`;
}

function mayImport(path: string, ours: readonly string[], target: string): boolean {
  const page = "surfaces/web/page";
  if (partOf(path) === page)
    return [page, ...ours].some((one) => target === one || target.startsWith(`${one}/`));
  const own = path.split("/").slice(0, 2).join("/");
  // What runs in browsers is no part of the server.
  if (target.startsWith(`${page}/`)) return false;
  // A surface may import itself and the http shell, but no other surface.
  if (partOf(path) === "surfaces" && (target.startsWith(`${own}/`) || target.startsWith("surfaces/http/")))
    return true;
  // A tool may import what tools share, but no other tool.
  if (
    partOf(path) === "tools" &&
    path !== "tools/index.ts" &&
    target.split("/").length === 3 &&
    target.startsWith("tools/")
  )
    return false;
  return ours.some((one) => target === one || target.startsWith(`${one}/`));
}

test.each([...sources.keys()])("%s imports only what its layer may import", (path) => {
  const found = readImports(sources.get(path) as string).flatMap((one) => findViolation(path, one) ?? []);
  expect(found).toEqual([]);
});

describe("words that are restricted to certain files", () => {
  const banned: [string, RegExp, (path: string) => boolean][] = [
    [
      "the process",
      /(?<![\w.$"'`/-])process\s*[.[]/,
      (path) => path !== "main.ts" && path !== "worker-port.ts" && !/^lib\/(?:asset|load)\.ts$/.test(path),
    ],
    [
      "the clock",
      /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bTemporal\.Now\b/,
      (path) => /^(?:tools|lib)\//.test(path),
    ],
    [
      "chance",
      /\bMath\.random\b|\brandomUUID|\brandomBytes\b|\bgetRandomValues\b|\brandomInt\b|\brandomFill/,
      (path) => /^(?:tools|lib)\//.test(path),
    ],
    [
      "the network",
      /(?<![\w.])fetch\s*\(|\bWebSocket\b|\bXMLHttpRequest\b/,
      (path) => /^(?:tools|lib|catalog)\//.test(path),
    ],
    // There is no loader behind `import()` in the executable: the bundler resolves those of our own files only.
    [
      "import() beyond our own files",
      /(?<!typeof )\bimport\(\s*["'](?!\.)/,
      (path) => path !== "lib/load.ts" && path !== "polyfill/load.ts",
    ],
    ["code from text", /(?<![\w.])eval\s*\(|\bnew Function\b/, () => true],
  ];
  test.each(banned)("%s", (_, pattern, covers) => {
    const guilty = [...sources].filter(
      ([path, source]) => covers(path) && pattern.test(withoutComments(source)),
    );
    expect(guilty.map(([path]) => path)).toEqual([]);
  });
});

describe("files", () => {
  test("no file has more than 300 lines", () => {
    // `.d.ts` and generated code are written for machines.
    const long = [...sources].filter(
      ([path, source]) => source.split("\n").length > 301 && !/wasm|\.d\.ts$/.test(path),
    );
    expect(long.map(([path]) => path)).toEqual([]);
  });

  test("services has at most twelve folders and no loose file", () => {
    const entries = new Set(
      [...sources.keys()].flatMap((path) => /^services\/([^/]+)/.exec(path)?.[1] ?? []),
    );
    expect(entries.size).toBeLessThanOrEqual(12);
    expect([...entries].filter((name) => name.includes("."))).toEqual([]);
  });

  test("no file re-exports from another; a library of several packages has one entry", () => {
    const barrels = [...sources].filter(([, source]) =>
      /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s+from\s+"\./m.test(withoutComments(source)),
    );
    expect(barrels.map(([path]) => path)).toEqual([]);
  });

  test("only tools are exported by default", () => {
    const guilty = [...sources].filter(
      ([path, source]) => !/^tools\/[^/]+\//.test(path) && /^export default\b/m.test(source),
    );
    expect(guilty.map(([path]) => path)).toEqual([]);
  });

  test("no vague names, and file names in kebab case", () => {
    const vague = /\b\w*(?:Manager|Helper|Util|Utils)\b|\binterface I[A-Z][a-z]\w*/;
    // The keys of other programs' files are as they are.
    const own = [...sources].filter(([path]) => !path.startsWith("lib/config-files/files/"));
    const guilty = own.flatMap(
      ([path, source]) => vague.exec(`${path}\n${withoutComments(source)}`)?.[0] ?? [],
    );
    expect(guilty).toEqual([]);
    expect(
      [...sources.keys()].filter(
        (path) => !/^(?:[a-z\d]+(?:-[a-z\d]+)*\/)*[a-z\d]+(?:-[a-z\d]+)*(?:\.d)?\.m?tsx?$/.test(path),
      ),
    ).toEqual([]);
  });

  test("no class except errors, and those that stand for a class of Node", () => {
    const guilty = [...sources].filter(
      ([path, source]) =>
        !/^polyfill\/(?:buffer|url|sm3)\.ts$/.test(path) &&
        /^(?:export )?(?:abstract )?class (?!\w+ extends \w*(?:Error|Fault)\b)/m.test(
          withoutComments(source),
        ),
    );
    expect(guilty.map(([path]) => path)).toEqual([]);
  });
});

describe("limits", () => {
  /** Constants and options that are numbers. */
  const spellings = [
    /^(?:export )?const ((?:most|longest|largest|biggest|highest)(?:[A-Z]\w*)?|\w+(?:Most|Limit|Ceiling)) = (?:\(?\d|\{ \w+: \d)/gm,
    /^\s+(?:readonly )?((?:most|longest|largest|biggest)(?:[A-Z]\w*)?|\w+Most)\??: number;/gm,
  ];

  test("are called max…", () => {
    const found = [...sources].flatMap(([path, source]) =>
      spellings.flatMap((pattern) =>
        [...withoutComments(source).matchAll(pattern)].map(([, name]) => `${path}: ${name}`),
      ),
    );
    expect(found).toEqual([]);
  });
});

describe("this test itself", () => {
  test.each<[string, string, string | undefined]>([
    [
      "tools/json/a.ts",
      'import { x } from "../../services/access/keys.ts";',
      "imports services/access/keys.ts",
    ],
    ["tools/json/a.ts", 'import "node:fs";', "imports node:fs"],
    ["tools/json/a.ts", 'import {\n  type A,\n  b,\n} from "h3";', "imports h3"],
    ["tools/json/a.ts", 'import b from "./b.ts";', "imports tools/json/b.ts"],
    ["tools/json/a.ts", 'const x = await import("yaml");', "imports yaml"],
    ["tools/json/a.ts", '/* import "h3" */ // import "h3"\nimport { hash } from "node:crypto";', undefined],
    ["tools/json/a.ts", 'import { hash } from "crypto";', "imports crypto without node:"],
    ["lib/a.ts", 'export { x } from "../catalog/tool.ts";', "imports catalog/tool.ts"],
    ["lib/a.ts", 'import { readFileSync } from "node:fs";', "imports node:fs"],
    [
      "catalog/a.ts",
      'import type { x } from "../services/access/keys.ts";',
      "imports services/access/keys.ts",
    ],
    ["services/a.ts", 'import x from "../surfaces/http/a.ts";', "imports surfaces/http/a.ts"],
    ["services/a.ts", 'import x from "../operations/admin.ts";', "imports operations/admin.ts"],
    ["operations/keys/a.ts", 'import x from "../../surfaces/http/a.ts";', "imports surfaces/http/a.ts"],
    ["operations/keys/a.ts", 'import x from "../../tools/index.ts";', "imports tools/index.ts"],
    ["operations/keys/a.ts", 'import "h3";', "imports h3"],
    ["services/a.ts", 'import x from "../tools/index.ts";', "imports tools/index.ts"],
    ["surfaces/rest/a.ts", 'import x from "../cli/a.ts";', "imports surfaces/cli/a.ts"],
    ["surfaces/rest/a.ts", 'import x from "../http/problem.ts";', undefined],
    ["surfaces/cli/a.ts", 'import type { App } from "../../app.ts";', undefined],
    ["surfaces/cli/a.ts", 'import { createApp } from "../../app.ts";', "imports app.ts"],
    ["surfaces/rest/a.ts", 'import type { App } from "../../app.ts";', "imports app.ts"],
    ["surfaces/web/page/a.tsx", 'import { x } from "./b.ts";', undefined],
    ["surfaces/web/page/a.tsx", 'import { x } from "../../../lib/uuid/a.ts";', undefined],
    ["surfaces/web/page/a.tsx", 'import type { x } from "../../../catalog/tool.ts";', undefined],
    ["surfaces/web/page/a.tsx", 'import { x } from "../../../catalog/a.ts";', "imports catalog/a.ts"],
    ["surfaces/web/page/a.tsx", 'import { x } from "../html.ts";', "imports surfaces/web/html.ts"],
    ["surfaces/web/page/a.tsx", 'import x from "../../http/a.ts";', "imports surfaces/http/a.ts"],
    ["surfaces/web/page/a.tsx", 'import { hash } from "node:crypto";', "imports node:crypto"],
    ["surfaces/web/page/a.tsx", 'import { signal } from "@preact/signals";', undefined],
    ["surfaces/web/page/a.tsx", 'import "react";', "imports react"],
    ["surfaces/web/a.ts", 'import x from "./page/a.tsx";', "imports surfaces/web/page/a.tsx"],
    ["worker.ts", 'import x from "./services/workers/pool.ts";', "imports services/workers/pool.ts"],
    ["main.ts", 'import x from "./surfaces/http/a.ts";', "imports surfaces/http/a.ts"],
    ["main.ts", 'import x from "./surfaces/cli/a.ts";', undefined],
    ["services/a.ts", 'import type { Config } from "../options.ts";', undefined],
    ["services/a.ts", 'import { sections } from "../options.ts";', "imports options.ts"],
    ["catalog/a.ts", 'import type { Runtime } from "../runtime.ts";', undefined],
    ["lib/a.ts", 'import type { Runtime } from "../runtime.ts";', "imports runtime.ts"],
    ["elsewhere/a.ts", 'import "zod";', "is in no part of the house"],
  ])("%s: %s", (path, source, violation) => {
    const [found] = readImports(source).map((one) => findViolation(path, one));
    expect(found).toBe(violation);
  });

  test("comments that look like strings, strings that look like comments", () => {
    expect(withoutComments('a("//b") // c "d\n/* "e */ f')).toBe('a("//b")  \n  f');
  });
});
