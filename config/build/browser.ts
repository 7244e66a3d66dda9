import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

/** Files for browsers, as assets of the executable. */
export interface BrowserFiles {
  /** By the name of the asset; files that are served end in `.br` and are compressed with brotli. */
  assets: Record<string, Uint8Array>;
  /** Absolute paths of the files whose code survived. */
  files: string[];
}

/** As JSON: bytes are base64, paths are from the root of the repository. */
interface Cached {
  assets: Record<string, string>;
  files: string[];
}

const root = new URL("../../", import.meta.url).pathname;
const always = [
  import.meta.filename,
  join(import.meta.dirname, "guards.ts"),
  join(root, "config/patches"),
  join(root, "package-lock.json"),
];

/**
 * Bundling and compressing takes seconds, so what was made of the same sources is taken from the folder `cache`. `sources` are
 * files and folders; the versions and patches of the libraries and the build's own code always count.
 * @throws Error where a bundle has a file of ours that is not among them
 */
export async function reuse(
  cache: string,
  name: string,
  sources: readonly string[],
  make: () => Promise<BrowserFiles>,
): Promise<BrowserFiles> {
  const file = join(cache, `${name}-${keyOf([...always, ...sources])}.json`);
  if (!existsSync(file)) {
    const { assets, files } = await make();
    const other = files.find(
      (path) =>
        !path.includes("/node_modules/") &&
        !sources.some((source) => path === source || path.startsWith(join(source, "/"))),
    );
    if (other !== undefined)
      throw new Error(
        `${relative(root, other)} is in the bundle ${name}, but the bundle would not be made again when it changes: ` +
          `add it to the sources in config/build/${name}.ts.`,
      );
    mkdirSync(cache, { recursive: true });
    for (const old of readdirSync(cache)) if (old.startsWith(`${name}-`)) rmSync(join(cache, old));
    const made: Cached = {
      assets: Object.fromEntries(
        Object.entries(assets).map(([asset, bytes]) => [asset, Buffer.from(bytes).toString("base64")]),
      ),
      files: files.map((path) => relative(root, path)),
    };
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(made));
    renameSync(`${file}.${process.pid}`, file);
  }
  const { assets, files } = JSON.parse(readFileSync(file, "utf8")) as Cached;
  return {
    assets: Object.fromEntries(
      Object.entries(assets).map(([asset, text]) => [asset, Buffer.from(text, "base64")]),
    ),
    files: files.map((path) => join(root, path)),
  };
}

function keyOf(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesIn)) hash.update(readFileSync(file)).update("\0");
  return hash.digest("hex").slice(0, 20);
}

function filesIn(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesIn(join(path, name)));
}

/** Returns the absolute paths of the modules whose code is in a chunk. */
export const modulesOf = (chunk: { modules: Record<string, { renderedLength: number }> }): string[] =>
  Object.entries(chunk.modules)
    .filter(([id, { renderedLength }]) => !id.startsWith("\0") && renderedLength > 0)
    .map(([id]) => id.split("?")[0] ?? id);

/** Compresses as small as brotli can: it is done once, here. */
function squeeze(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text);
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** Compresses texts, on as many threads as Node has for it. Returns an asset for each, by its name with `.br`. */
export async function squeezeAll(texts: Iterable<[string, string]>): Promise<Record<string, Uint8Array>> {
  const assets = [...texts].map(async ([name, text]) => [`${name}.br`, await squeeze(text)] as const);
  return Object.fromEntries(await Promise.all(assets));
}
