import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { ToolError } from "../../catalog/errors.ts";
import { negotiateCoding, type Coding } from "../http/accept.ts";
import type { Handler } from "../http/exchange.ts";
import { compress, type Reply } from "../http/reply.ts";
import { graphiqlPage, unbuiltPage } from "./graphiql-page.ts";
import { readFileSync } from "node:fs";
import { executable, readAssetBytes } from "../../lib/asset.ts";

/** Serves GraphiQL from this executable alone. */
export interface Graphiql {
  /** GET /graphql for clients that prefer `text/html`. */
  page: Handler;
  /** GET /graphql/graphiql/:file, the assets of the page; `params.file` is `<hash>.js` or `<hash>.css`. */
  file: Handler;
}

export interface GraphiqlDeps {
  reply: Pick<Reply, "send">;
  /** Whether introspection is allowed; without it the page does not request the schema. */
  introspection: boolean;
  /** Returns a file of the build, brotli-compressed; undefined in a source tree without a build. */
  read?(name: string): Uint8Array | undefined;
  inflate?(bytes: Uint8Array): Promise<Uint8Array>;
}

/** One asset; each coding of it is made once, by the first request. */
interface File {
  type: string;
  forms: Map<Coding | "identity", Promise<Uint8Array>>;
}

const types = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };
const html = "text/html; charset=utf-8";

/**
 * Allows this origin only: injected script could send data nowhere, and no page can frame this one to trick a signed-in
 * user into clicks. Styles come from files and the CSSOM only.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
const pageHeaders: readonly string[] = [
  "Content-Security-Policy",
  policy,
  "Referrer-Policy",
  "no-referrer",
  // The same URL answers programs in another format.
  "Vary",
  "Accept",
  "Cache-Control",
  "no-cache",
];

export function createGraphiql({
  reply,
  introspection,
  read = readBundled,
  inflate = promisify(brotliDecompress),
}: GraphiqlDeps): Graphiql {
  const files = new Map<string, File>();
  const script = add("js");
  const style = add("css");
  const pageAt = (beside: string): string | undefined =>
    script === undefined || style === undefined
      ? undefined
      : graphiqlPage({ beside, script, style, introspection });
  const page = pageAt("");
  // Handles /graphql/, which the router treats as the same path.
  const below = pageAt("../");

  /** The name contains the hash, so browsers cache it for ever and never mix versions. */
  function add(kind: keyof typeof types): string | undefined {
    const bytes = read(`graphiql/app.${kind}.br`);
    if (bytes === undefined) return undefined;
    const name = `${hash("sha256", bytes, "base64url").slice(0, 22)}.${kind}`;
    files.set(name, { type: types[kind], forms: new Map([["br", Promise.resolve(toLasting(bytes))]]) });
    return name;
  }

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
    page(exchange) {
      const shown = exchange.path.endsWith("/") ? below : page;
      reply.send(exchange, shown === undefined ? 404 : 200, html, shown ?? unbuiltPage, pageHeaders);
    },
    async file(exchange) {
      const file = files.get(exchange.params?.["file"] ?? "");
      if (file === undefined) {
        throw new ToolError("not_found", "GraphiQL of this version has no such file. Load /graphql again.");
      }
      const coding = negotiateCoding(exchange.req.headers["accept-encoding"]);
      reply.send(exchange, 200, file.type, await formOf(file, coding), headersOf(coding));
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
  ...(coding === undefined ? [] : ["Content-Encoding", coding]),
];

/** Returns a file that the build made; undefined in a source tree without a build. */
function readBundled(name: string): Uint8Array | undefined {
  if (executable) return readAssetBytes(name);
  try {
    return readFileSync(new URL(`../../../dist/${name}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
