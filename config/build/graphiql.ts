import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { rolldown } from "rolldown";

/** GraphiQL for a browser. */
export interface Graphiql {
  /** `graphiql/app.js.br` and `graphiql/app.css.br`. */
  assets: Record<string, Uint8Array>;
  /** Absolute paths of the files whose code survived. */
  files: string[];
}

const root = new URL("../../", import.meta.url).pathname;
const sources = new URL("graphiql/", import.meta.url).pathname;
const patches = new URL("../patches/", import.meta.url).pathname;

/** Bundling and compressing takes four seconds, so what was made of the same sources is taken from `cache`. */
export async function buildGraphiql(cache: string): Promise<Graphiql> {
  const file = join(cache, `graphiql-${keyOfSources()}.json`);
  if (!existsSync(file)) {
    const { assets, files } = await make();
    mkdirSync(cache, { recursive: true });
    for (const name of readdirSync(cache)) if (name.startsWith("graphiql-")) rmSync(join(cache, name));
    const made: Cached = {
      assets: Object.fromEntries(
        Object.entries(assets).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
      ),
      files: files.map((path) => relative(root, path)),
    };
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(made));
    renameSync(`${file}.${process.pid}`, file);
  }
  const { assets, files } = JSON.parse(readFileSync(file, "utf8")) as Cached;
  return {
    assets: Object.fromEntries(
      Object.entries(assets).map(([name, text]) => [name, Buffer.from(text, "base64")]),
    ),
    files: files.map((path) => join(root, path)),
  };
}

/** As JSON: bytes are base64, paths are from the root of the repository. */
interface Cached {
  assets: Record<string, string>;
  files: string[];
}

/** A hash of this file, the page's sources, and the versions and patches of the libraries. */
function keyOfSources(): string {
  const hash = createHash("sha256");
  const own = [sources, patches].flatMap((folder) =>
    readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name)),
  );
  for (const file of [import.meta.filename, join(root, "package-lock.json"), ...own])
    hash.update(readFileSync(file)).update("\0");
  return hash.digest("hex").slice(0, 20);
}

async function make(): Promise<Graphiql> {
  const build = await rolldown({
    input: { app: join(sources, "app.js") },
    platform: "browser",
    cwd: root,
    tsconfig: false,
    transform: { define: { "process.env.NODE_ENV": '"production"' }, target: "es2022" },
    onLog: (level, log) => {
      // The parts that GraphiQL would load one by one are in the one script; "use no memo" speaks to React's compiler.
      if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT" || log.code === "MODULE_LEVEL_DIRECTIVE") return;
      if (level === "warn") throw new Error(log.message);
    },
  });
  try {
    const { output } = await build.generate({
      format: "iife",
      codeSplitting: false,
      comments: { legal: false },
      minify: true,
    });
    const [chunk, ...others] = output;
    if (others.length > 0) throw new Error(`GraphiQL: one script was expected, not ${others.length + 1}`);
    const files = Object.entries(chunk.modules)
      .filter(([id, { renderedLength }]) => !id.startsWith("\0") && renderedLength > 0)
      .map(([id]) => id.split("?")[0] ?? id);
    const css = new URL(import.meta.resolve("graphiql/graphiql.css")).pathname;
    const own = readFileSync(join(sources, "app.css"), "utf8");
    return {
      assets: {
        "graphiql/app.js.br": squeeze(chunk.code),
        "graphiql/app.css.br": squeeze(`${withoutFonts(readFileSync(css, "utf8"))}\n${own}`),
      },
      files: [...files, css].toSorted(),
    };
  } finally {
    await build.close();
  }
}

/** Nine tenths of the sheet are two fonts; the browser's own are as good. */
function withoutFonts(css: string): string {
  const without = css.replaceAll(/@font-face\s*\{[^}]*\}/g, "");
  const loaded = /(?:url\(["']?(?!data:image\/)|@import)[^)]{0,80}/.exec(without)?.[0];
  if (loaded !== undefined) throw new Error(`GraphiQL's style sheet loads ${loaded}`);
  return without;
}

function squeeze(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
