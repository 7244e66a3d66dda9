import { hash } from "node:crypto";
import { createAssets, readBundled } from "../http/assets.ts";
import type { Handler } from "../http/exchange.ts";
import { pageIsolation } from "../http/page-isolation.ts";
import type { Reply } from "../http/reply.ts";
import { graphiqlPage, unbuiltPage } from "./graphiql-page.ts";

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

const html = "text/html; charset=utf-8";

/**
 * Allows this origin only: injected script could send data nowhere, and no page can frame this one to trick a signed-in
 * user into clicks. Styles come from files and the CSSOM only. Trusted Types are not required: GraphiQL's editor and its
 * descriptions assign to innerHTML.
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
  inflate,
}: GraphiqlDeps): Graphiql {
  const assets = createAssets({
    reply,
    missing: "GraphiQL of this version has no such file. Load /graphql again.",
    ...(inflate && { inflate }),
  });
  const script = add("js");
  const style = add("css");
  const pageAt = (beside: string): string | undefined =>
    script === undefined || style === undefined
      ? undefined
      : graphiqlPage({ beside, script, style, introspection });
  const page = pageAt("");
  // Handles /graphql/, which the router treats as the same path.
  const below = pageAt("../");

  function add(kind: "js" | "css"): string | undefined {
    const bytes = read(`graphiql/app.${kind}.br`);
    if (bytes === undefined) return undefined;
    const name = `${hash("sha256", bytes, "base64url").slice(0, 22)}.${kind}`;
    assets.add(name, bytes);
    return name;
  }

  return {
    page(exchange) {
      const shown = exchange.path.endsWith("/") ? below : page;
      reply.send(exchange, shown === undefined ? 404 : 200, html, shown ?? unbuiltPage, [
        ...pageHeaders,
        ...pageIsolation(exchange.req.headers),
      ]);
    },
    file: (exchange) => assets.send(exchange, exchange.params?.["file"] ?? ""),
  };
}
