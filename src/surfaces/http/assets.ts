import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { ToolError } from "../../catalog/errors.ts";
import { executable, readAssetBytes } from "../../lib/asset.ts";
import { negotiateCoding, type Coding } from "./accept.ts";
import type { Exchange } from "./exchange.ts";
import { compress, type Reply } from "./reply.ts";

/** The files of pages. Their names contain a hash of their content, so that browsers cache them for ever. */
export interface Assets {
  /** Adds a file under the name that its URL ends in, with headers of its own. */
  add(name: string, brotli: Uint8Array, headers?: readonly string[]): void;
  /**
   * Sends a file in the coding that the client prefers.
   * @throws ToolError not_found
   */
  send(exchange: Exchange, name: string): Promise<void>;
}

export interface AssetsDeps {
  reply: Pick<Reply, "send">;
  /** The message of a 404: an upgraded server has no files of the version before it. */
  missing: string;
  inflate?(bytes: Uint8Array): Promise<Uint8Array>;
}

/** One asset; each coding of it is made once, by the first request. */
interface File {
  type: string;
  headers: readonly string[];
  forms: Map<Coding | "identity", Promise<Uint8Array>>;
}

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

export function createAssets({ reply, missing, inflate = promisify(brotliDecompress) }: AssetsDeps): Assets {
  const files = new Map<string, File>();

  /**
   * Returns the asset in a coding. Browsers accept brotli over TLS and from localhost only; the rest get gzip.
   * Concurrent requests share the compression; after a failure the next request tries again.
   */
  function formOf(file: File, coding: Coding | undefined): Promise<Uint8Array> {
    const name = coding ?? "identity";
    const known = file.forms.get(name);
    if (known !== undefined) return known;
    const form = makeForm(file, coding).then(toLasting);
    file.forms.set(name, form);
    form.catch(() => file.forms.delete(name));
    return form;
  }

  async function makeForm(file: File, coding: Coding | undefined): Promise<Uint8Array> {
    if (coding !== undefined) return compress(await formOf(file, undefined), coding);
    return inflate((await file.forms.get("br")) ?? new Uint8Array());
  }

  return {
    add(name, brotli, headers = []) {
      const type = types[name.slice(name.lastIndexOf(".") + 1)];
      if (type === undefined) throw new Error(`${name}: the media type of this asset is unknown`);
      files.set(name, { type, headers, forms: new Map([["br", Promise.resolve(toLasting(brotli))]]) });
    },
    async send(exchange, name) {
      const file = files.get(name);
      if (file === undefined) throw new ToolError("not_found", missing);
      const coding = negotiateCoding(exchange.req.headers["accept-encoding"]);
      const headers = [...headersOf(coding), ...file.headers];
      reply.send(exchange, 200, file.type, await formOf(file, coding), headers);
    },
  };
}

/** A view of a larger buffer: `reply.send` takes over whole buffers and releases their memory. */
const toLasting = (bytes: Uint8Array): Uint8Array => {
  const buffer = new Uint8Array(bytes.length + 1);
  buffer.set(bytes);
  return buffer.subarray(0, -1);
};

const headersOf = (coding: Coding | undefined): string[] => [
  "Cache-Control",
  "public, max-age=31536000, immutable",
  "Vary",
  "Accept-Encoding",
  // No page of another origin may embed it, whatever it could measure by that.
  "Cross-Origin-Resource-Policy",
  "same-origin",
  ...(coding === undefined ? [] : ["Content-Encoding", coding]),
];

/** Returns a file that the build made; undefined in a source tree without a build. */
export function readBundled(name: string): Uint8Array | undefined {
  if (executable) return readAssetBytes(name);
  try {
    return readFileSync(new URL(`../../../dist/${name}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
