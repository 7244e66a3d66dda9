import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toDocumentTypes } from "./documents.ts";
import { type BrowserFiles, modulesOf, reuse, squeezeAll } from "./browser.ts";
import { bundleGuarded } from "./guards.ts";
import { sheetsAsText, withoutComments } from "./sheets.ts";

const root = new URL("../../", import.meta.url).pathname;
const sources = join(root, "src/surfaces/web/page/");
const schema = join(root, "docs/schema.graphql");

/**
 * Bundles the code of the pages: `web/<name>-<hash>.<kind>.br` for each file, and `web/files.json`, which names those that
 * every page loads.
 */
export const buildWeb = (cache: string): Promise<BrowserFiles> =>
  reuse(
    cache,
    "web",
    [
      import.meta.filename,
      join(import.meta.dirname, "documents.ts"),
      join(import.meta.dirname, "sheets.ts"),
      sources,
      join(root, "src/catalog"),
      join(root, "src/lib"),
      schema,
    ],
    make,
  );

async function make(): Promise<BrowserFiles> {
  // A document that the server would refuse fails the build.
  toDocumentTypes(sources, schema);
  const { scripts, preload, modules } = await bundle();
  const early = await bundleEarly();
  const sheets = globSync("*.css", { cwd: sources }).toSorted();
  const style = withoutComments(sheets.map((name) => readFileSync(join(sources, name), "utf8")).join("\n"));
  const icon = readFileSync(join(sources, "icon.svg"), "utf8");
  const files = new Map([
    ...scripts,
    [named("early", "js", early), early],
    [named("app", "css", style), style],
    [named("icon", "svg", icon), icon],
  ]);
  const names = [...files.keys()];
  const find = (pattern: RegExp): string => {
    const found = names.filter((name) => pattern.test(name));
    if (found[0] === undefined || found.length > 1)
      throw new Error(`one ${pattern} was expected: ${found.join(", ")}`);
    return found[0];
  };
  const manifest = {
    early: find(/^early-.*\.js$/),
    script: find(/^app-.*\.js$/),
    preload,
    style: find(/\.css$/),
    icon: find(/\.svg$/),
    sprite: readFileSync(join(sources, "icons.svg"), "utf8"),
    files: names,
  };
  return {
    assets: {
      "web/files.json": Buffer.from(JSON.stringify(manifest)),
      ...(await squeezeAll([...files].map(([name, text]) => [`web/${name}`, text]))),
    },
    files: modules,
  };
}

/** Bundles the entry to modules that are split at each `import()`. */
async function bundle(): Promise<{
  scripts: [name: string, code: string][];
  /** The scripts that the entry imports, directly or not; a browser learns of them sooner from the page. */
  preload: string[];
  modules: string[];
}> {
  const chunks = await bundleGuarded(
    {
      input: { app: join(sources, "app.tsx") },
      platform: "browser",
      cwd: root,
      tsconfig: false,
      // A busy machine is no fault of a plugin.
      checks: { pluginTimings: false },
      transform: { jsx: { runtime: "automatic", importSource: "preact" }, target: "es2022" },
      plugins: [sheetsAsText],
      onLog: (level, log) => {
        if (level === "warn") throw new Error(log.message);
      },
    },
    {
      format: "esm",
      entryFileNames: "[name]-[hash:16].js",
      chunkFileNames: "[name]-[hash:16].js",
      comments: { legal: false },
      minify: true,
      // Chunks of their own, which an upgrade of penknife seldom changes.
      codeSplitting: {
        groups: [
          { name: "preact", test: /\/node_modules\/@?preact\// },
          {
            name: "codemirror",
            test: /\/node_modules\/(?:@codemirror|@lezer|@marijn|crelt|style-mod|w3c-keyname)\//,
          },
        ],
      },
    },
  );
  return {
    scripts: chunks.map(({ fileName, code }) => [fileName, code]),
    preload: importsOf(chunks),
    modules: chunks.flatMap(modulesOf).toSorted(),
  };
}

/** Returns the chunks that the entry needs at once. */
function importsOf(chunks: readonly { fileName: string; isEntry: boolean; imports: string[] }[]): string[] {
  const found = new Set(chunks.flatMap(({ isEntry, imports }) => (isEntry ? imports : [])));
  // A set also yields what is added while it is walked through.
  for (const name of found)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      found.add(imported);
  return [...found];
}

/** Bundles the script that runs before the first paint; a module would run after it. */
async function bundleEarly(): Promise<string> {
  const [{ code }] = await bundleGuarded(
    {
      input: join(sources, "early.ts"),
      platform: "browser",
      cwd: root,
      tsconfig: false,
      checks: { pluginTimings: false },
      transform: { target: "es2022" },
    },
    { format: "iife", minify: true },
  );
  return code;
}

const named = (name: string, kind: string, text: string): string =>
  `${name}-${createHash("sha256").update(text).digest("base64url").slice(0, 16)}.${kind}`;
