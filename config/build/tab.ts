import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { type BrowserFiles, modulesOf, reuse, squeezeAll } from "./browser.ts";
import { bundleGuarded } from "./guards.ts";

const root = new URL("../../", import.meta.url).pathname;
const source = join(root, "src/");
const polyfills = join(source, "polyfill/");

/** The data with which a page starts its worker; the file `tab-<hash>.json`. */
export interface TabManifest {
  /** The file of the worker. */
  loader: string;
  /** The script that the worker runs. */
  entry: string;
  /** Every script, with those that it requires. The file of a script is `<name>.js`. */
  requirements: Record<string, string[]>;
  /** By tool that can run in a tab, its script, and globals that browsers may lack. */
  tools: Record<string, { script: string; needs?: string[] }>;
}

/**
 * Bundles the code that runs tools in a browser's tab: `web/<name>-<hash>.js.br` for each script, the manifest, and
 * `web/tab-files.json`, which names them and the tools for the server.
 */
export const buildTab = (cache: string): Promise<BrowserFiles> =>
  reuse(
    cache,
    "tab",
    [
      import.meta.filename,
      ...["tab.ts", "tab-loader.ts", "polyfill", "catalog", "tools", "lib"].map((path) => join(source, path)),
    ],
    make,
  );

async function make(): Promise<BrowserFiles> {
  const { tools, needs } = await findTools();
  const onServer = new Set([...tools].filter(([, { missing }]) => missing.length > 0).map(([slug]) => slug));
  const loader = await bundleLoader();
  const { chunks, modules } = await bundleScripts(onServer);
  const names = new Map(chunks.map((chunk) => [chunk.fileName, nameOf(chunk.fileName)]));
  const scripts = new Map(chunks.map((chunk) => [`${nameOf(chunk.fileName)}.js`, toScript(chunk, names)]));
  const loaderName = `tab-loader-${hash(loader)}.js`;
  const manifest: TabManifest = {
    loader: loaderName,
    entry: nameOf(one(chunks, ({ isEntry }) => isEntry).fileName),
    requirements: Object.fromEntries(
      chunks.map(({ fileName, imports }) => [nameOf(fileName), imports.map(nameOf)]),
    ),
    tools: Object.fromEntries(
      [...tools]
        .filter(([slug]) => !onServer.has(slug))
        .map(([slug, { file }]) => {
          const script = nameOf(one(chunks, ({ facadeModuleId }) => facadeModuleId === file).fileName);
          const needed = needs.get(slug) ?? [];
          return [slug, needed.length > 0 ? { script, needs: needed } : { script }];
        }),
    ),
  };
  const text = JSON.stringify(manifest);
  const manifestName = `tab-${hash(text)}.json`;
  const files = new Map([...scripts, [loaderName, loader], [manifestName, text]]);
  const list = {
    manifest: manifestName,
    loader: loaderName,
    tools: Object.keys(manifest.tools),
    files: [...files.keys()],
  };
  return {
    assets: {
      "web/tab-files.json": Buffer.from(JSON.stringify(list)),
      ...(await squeezeAll([...files].map(([name, content]) => [`web/${name}`, content]))),
    },
    files: modules,
  };
}

interface FoundTool {
  file: string;
  /** Imports from Node that a tab does not have, such as "node:crypto: X509Certificate". */
  missing: string[];
}

/** Finds out which tools a tab can run: those that import, directly or not, nothing of Node without a polyfill. */
export async function findTools(): Promise<{ tools: Map<string, FoundTool>; needs: Map<string, string[]> }> {
  const imports = await readGraph();
  const provided = await readPolyfills();
  const missing = new Map<string, string[]>();
  const needed = new Map<string, string[]>();
  for (const file of imports.keys()) {
    const code = readFileSync(file, "utf8");
    missing.set(file, findMissing(code, provided));
    needed.set(
      file,
      globals.filter((name) => new RegExp(`\\b${name}\\.`).test(code)),
    );
  }
  const tools = new Map<string, FoundTool>();
  const needs = new Map<string, string[]>();
  // The bundler parses files on several threads, so that the order of the graph differs each time.
  for (const file of [...imports.keys()].toSorted()) {
    const [, slug] = /\/src\/tools\/\w+\/([\w-]+)\.ts$/.exec(file) ?? [];
    if (slug === undefined) continue;
    const reached = [...reach(file, imports)];
    tools.set(slug, { file, missing: reached.flatMap((id) => missing.get(id) ?? []) });
    needs.set(slug, [...new Set(reached.flatMap((id) => needed.get(id) ?? []))]);
  }
  return { tools, needs };
}

/** Globals of Node that not all browsers have; their tools run in a tab where they exist. */
const globals = ["Temporal"];

/** Returns for each of our files what it imports of ours, now or later. */
async function readGraph(): Promise<Map<string, readonly string[]>> {
  const graph = new Map<string, readonly string[]>();
  const reader: Plugin = {
    name: "read-graph",
    moduleParsed({ id, importedIds, dynamicallyImportedIds }) {
      if (id.startsWith(source)) graph.set(id, [...importedIds, ...dynamicallyImportedIds]);
    },
  };
  const build = await rolldown({
    input: join(source, "tools/index.ts"),
    platform: "browser",
    cwd: root,
    tsconfig: false,
    external: [/^node:/],
    checks: { pluginTimings: false },
    plugins: [replaceLoad(), reader],
  });
  try {
    await build.generate({ format: "cjs", exports: "named" });
  } finally {
    await build.close();
  }
  return graph;
}

/** Returns the names that each polyfill exports, by the name of the module that it stands for. */
async function readPolyfills(): Promise<Map<string, ReadonlySet<string>>> {
  const provided = new Map<string, ReadonlySet<string>>();
  for (const file of readdirSync(polyfills)) {
    const exported = Object.keys((await import(join(polyfills, file))) as object);
    provided.set(`node:${file.replace(/\.ts$/, "")}`, new Set(exported));
  }
  return provided;
}

function findMissing(code: string, provided: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const missing: string[] = [];
  for (const node of parseAst(code, { lang: "ts" }).body) {
    if (node.type !== "ImportDeclaration" || node.importKind === "type") continue;
    const from = node.source.value;
    if (!from.startsWith("node:")) continue;
    for (const specifier of node.specifiers) {
      if (specifier.type !== "ImportSpecifier") missing.push(`${from}: *`);
      else if (specifier.importKind !== "type" && specifier.imported.type === "Identifier") {
        const { name } = specifier.imported;
        if (provided.get(from)?.has(name) !== true) missing.push(`${from}: ${name}`);
      }
    }
  }
  return missing;
}

function reach(
  file: string,
  imports: ReadonlyMap<string, readonly string[]>,
  found = new Set<string>(),
): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const next of imports.get(file) ?? []) reach(next, imports, found);
  return found;
}

async function bundleScripts(
  onServer: ReadonlySet<string>,
): Promise<{ chunks: OutputChunk[]; modules: string[] }> {
  const chunks = await bundleGuarded(
    {
      input: { tab: join(source, "tab.ts") },
      platform: "browser",
      cwd: root,
      tsconfig: false,
      checks: { pluginTimings: false },
      transform: { target: "es2023", inject },
      plugins: [replaceLoad(), replaceNode(), replaceUrl(), replaceGlobal(), leaveOutTools(onServer)],
      onLog: (level, log) => {
        if (level === "warn") throw new Error(log.message);
      },
    },
    {
      format: "cjs",
      exports: "named",
      entryFileNames: "[name]-[hash:16].js",
      chunkFileNames: "[name]-[hash:16].js",
      comments: { legal: false },
      minify: true,
      codeSplitting: {},
    },
  );
  return {
    chunks: chunks.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1)),
    modules: chunks.flatMap(modulesOf).toSorted(),
  };
}

async function bundleLoader(): Promise<string> {
  const [{ code }] = await bundleGuarded(
    {
      input: join(source, "tab-loader.ts"),
      platform: "browser",
      cwd: root,
      tsconfig: false,
      checks: { pluginTimings: false },
      transform: { target: "es2023" },
    },
    { format: "iife", minify: true, comments: { legal: false } },
  );
  return code;
}

/** Browsers have no Buffer; each script gets ours as an import. */
const inject: Record<string, [file: string, name: string]> = {
  Buffer: [join(polyfills, "buffer.ts"), "Buffer"],
};

/** Gives our code, but not the libraries, a URL that parses as Node's does. */
const replaceUrl = (): Plugin => ({
  name: "replace-url",
  transform: {
    filter: { id: /\/src\/(?:catalog|lib|tools)\//, code: /\bnew URL\(|\bURL\.\w+\(/ },
    handler: (code) => `import { URL } from ${JSON.stringify(join(polyfills, "url.ts"))};\n${code}`,
  },
});

/** JSONata looks for the Buffer of Node in a global that a worker lacks, and calls its method with `new`. */
const replaceGlobal = (): Plugin => ({
  name: "replace-global",
  transform: {
    filter: { id: /\/node_modules\/jsonata\//, code: /\bglobal\.Buffer\b/ },
    handler: (code) => code.replaceAll("new global.Buffer.from(", "Buffer.from("),
  },
});

/** In a tab, the libraries are scripts like all others. */
const replaceLoad = (): Plugin => ({
  name: "replace-load",
  resolveId: {
    filter: { id: /\/load\.ts$/ },
    handler: (id, importer) =>
      importer !== undefined && join(importer, "..", id) === join(source, "lib/load.ts")
        ? join(polyfills, "load.ts")
        : null,
  },
});

const replaceNode = (): Plugin => ({
  name: "replace-node",
  resolveId: {
    filter: { id: /^node:/ },
    handler: (id) => join(polyfills, `${id.slice("node:".length)}.ts`),
  },
});

/** Removes tools from the list of tools. */
const leaveOutTools = (slugs: ReadonlySet<string>): Plugin => ({
  name: "leave-out-tools",
  transform: {
    filter: { id: /\/src\/tools\/index\.ts$/ },
    handler(code) {
      const kept = code
        .split("\n")
        .filter((line) => !slugs.has(/^\s*"?([\w-]+)"?: \(\) =>/.exec(line)?.[1] ?? ""));
      return kept.join("\n");
    },
  },
});

/** The form in which rolldown writes an `import()` of another script. */
const dynamicImport = /Promise\.resolve\(\)\.then\(\(\)=>(?=[^;]{0,60}?require\(([`"'])(\.\/[^`"']+)\1\))/g;

/** Makes a script that registers itself, and that fetches what it imports later. */
function toScript(
  { fileName, code, dynamicImports }: OutputChunk,
  names: ReadonlyMap<string, string>,
): string {
  let count = 0;
  const fetching = code.replaceAll(dynamicImport, (_, _quote, id: string) => {
    count += 1;
    return `penknifeFetch(${JSON.stringify(id)}).then(()=>`;
  });
  const fetched = new Set(Array.from(fetching.matchAll(/penknifeFetch\("\.\/([^"]+)"\)/g), ([, id]) => id));
  if (count < dynamicImports.length || dynamicImports.some((id) => !fetched.has(id) || !names.has(id)))
    throw new Error(`${fileName}: an import() was not found`);
  return `penknifeScript(${JSON.stringify(nameOf(fileName))},function(exports,require,module,penknifeFetch){${fetching}\n});\n`;
}

const nameOf = (fileName: string): string => fileName.slice(0, -".js".length);

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 16);

function one<Item>(items: readonly Item[], accept: (item: Item) => boolean): Item {
  const found = items.filter(accept);
  if (found[0] === undefined || found.length > 1) throw new Error(`One was expected, not ${found.length}`);
  return found[0];
}
