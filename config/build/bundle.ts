import type { OutputOptions, Plugin } from "rolldown";
import { bundleGuarded } from "./guards.ts";
import { modulesOf } from "./browser.ts";
import { leaveOutLibraries, packTexts, postponeBuiltins, postponed } from "./plugins.ts";

/** One script, and every module that went into it. */
export interface Script {
  code: string;
  /** Absolute paths of the files whose code survived tree shaking. */
  files: string[];
}

export interface BundleOptions {
  entry: string;
  define?: Record<string, string>;
  plugins?: Plugin[];
}

export interface SplitOptions extends BundleOptions {
  /** Name of the first script; the others are called `<name>.<chunk>`. */
  name: string;
  /** By script name: the files and folders (with a slash) that it contains with their imports. A file goes to the first match. */
  together?: Readonly<Record<string, readonly string[]>>;
}

/** Bundles one entry file to one CommonJS script: a SEA's main script loads fastest as CommonJS with a code cache. */
export async function bundle(options: BundleOptions): Promise<Script> {
  const [script, ...others] = (await generate(options, "script", false)).values();
  if (script === undefined || others.length > 0) throw new Error(`${options.entry}: one script was expected`);
  return script;
}

/**
 * Bundles one entry file to scripts that are split at each `import()`, so that a start evaluates only what it uses. Scripts
 * load one another by `require("./<name>.js")`, which src/lib/asset.ts implements.
 */
export async function bundleSplit({
  name,
  together = {},
  ...options
}: SplitOptions): Promise<Map<string, Script>> {
  const groups = Object.entries(together).map(([group, files], index) => ({
    name: group,
    test: (id: string) =>
      files.some((file) => id === file || (file.endsWith("/") && id.startsWith(file))) ||
      // Scripts that share a postponed module must not evaluate one another for it.
      (index === 0 && id.startsWith(postponed)),
    priority: Object.keys(together).length - index,
  }));
  return await generate(options, name, { groups });
}

async function generate(
  { entry, define = {}, plugins = [] }: BundleOptions,
  name: string,
  codeSplitting: OutputOptions["codeSplitting"] & {},
): Promise<Map<string, Script>> {
  const chunks = await bundleGuarded(
    {
      input: { [name]: entry },
      platform: "node",
      cwd: new URL("../..", import.meta.url).pathname,
      transform: { define: { "import.meta.url": "undefined", ...define }, target: "node26" },
      tsconfig: false,
      // A busy machine is no fault of a plugin.
      checks: { pluginTimings: false },
      plugins: [...plugins, leaveOutLibraries(), packTexts(), postponeBuiltins()],
      onLog: (level, log) => {
        // Packages may use import.meta in code that never runs. Our own code must not: a script has no file.
        if (log.code === "EMPTY_IMPORT_META" && log.id?.includes("/node_modules/")) return;
        // Expected for files that `together` puts into one script.
        if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT") return;
        if (level === "warn") throw new Error(log.message);
      },
    },
    {
      format: "cjs",
      exports: "named",
      codeSplitting,
      entryFileNames: "[name].js",
      chunkFileNames: `${name}.[name].js`,
      comments: { legal: false },
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    },
  );
  const scripts = new Map<string, Script>();
  for (const chunk of chunks) {
    const left = chunk.dynamicImports.filter((id) => !chunks.some(({ fileName }) => fileName === id));
    if (left.length > 0) throw new Error(`${entry}: import() of ${left.join(", ")} would fail`);
    scripts.set(chunk.fileName.slice(0, -".js".length), {
      code: toAscii(chunk.code),
      files: modulesOf(chunk).toSorted(),
    });
  }
  return scripts;
}

/** Bundles a package, or these exports of it; the exports of the script are those of `import(name)` in Node. */
export async function bundleLibrary(name: string, part?: readonly string[]): Promise<Script> {
  const id = "\0library";
  const names = (part ?? Object.keys((await import(name)) as object)).filter(
    // Node marks a CommonJS module with these names.
    (key) => key !== "module.exports" && key !== "__esModule",
  );
  const entry: Plugin = {
    name: "library-entry",
    resolveId: (source) => (source === id ? id : null),
    load: (source) => (source === id ? `export { ${names.join(", ")} } from ${JSON.stringify(name)};` : null),
  };
  return await bundle({ entry: id, plugins: [entry] });
}

/** Escapes all other characters: V8 stores a script of ASCII in one byte a character and reads it faster. */
function toAscii(code: string): string {
  // oxlint-disable-next-line no-control-regex
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
