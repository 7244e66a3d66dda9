import { hash } from "node:crypto";
import { createAssets, readBundled } from "../http/assets.ts";
import type { Handler } from "../http/exchange.ts";
import { pageIsolation } from "../http/page-isolation.ts";
import type { Reply } from "../http/reply.ts";

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

/** The variable parts of the page. */
interface PageParts {
  /** Relative path from the page to its siblings; a proxy may have put any prefix before it. */
  beside: string;
  /** Names of the script and the style sheet. */
  script: string;
  style: string;
  introspection: boolean;
}

/** The page of GraphiQL; config/build/graphiql/app.js reads `data-introspection`. */
const graphiqlPage = ({ beside, script, style, introspection }: PageParts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL – penknife</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${beside}graphql/graphiql/${style}">
<script defer src="${beside}graphql/graphiql/${script}"></script>
</head>
<body>
<div id="graphiql" data-introspection="${introspection ? "on" : "off"}"></div>
<noscript>GraphiQL needs JavaScript. The schema is at <a href="${beside}graphql/schema.graphql">graphql/schema.graphql</a>.</noscript>
</body>
</html>
`;

/** Shown in a source tree; an executable always has the files. */
const unbuiltPage: string = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>GraphiQL – penknife</title><link rel="icon" href="data:,"></head>
<body><p>GraphiQL is not built in this source tree. Run <code>make build</code>, then start the server again.</p></body>
</html>
`;
