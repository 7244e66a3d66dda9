import { hash } from "node:crypto";
import type { ErrorCode, ToolError } from "../../catalog/errors.ts";
import { toOwnPage } from "../../lib/own-page.ts";
import { prefer, prefersPage } from "../http/accept.ts";
import { type Assets, createAssets, readBundled } from "../http/assets.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { nothingHere, type RefusalPage } from "../http/problem.ts";
import { sendTagged, toTagged } from "../http/tagged.ts";
import { toApiPage } from "./api-page.ts";
import type { ShowOptions, WebDeps } from "./deps.ts";
import { type Layout, type Link, type PageFiles, toDocument } from "./document.ts";
import type { Part } from "./header.ts";
import { type HomeParts, toHome, toHomeText } from "./home.ts";
import { type Markup, markup } from "./markup.ts";
import { pageHeaders, workerHeaders } from "./policy.ts";
import { createRefusalPages } from "./refusal-pages.ts";
import { rootFrom, shownUrl } from "./root.ts";
import { type SectionName, toSectionPage } from "./sections.ts";
import { toSignInPage, toSignOn } from "./sign-in-page.ts";
import { nameOf, toDefinition, toListed, toToolPage } from "./tool-page.ts";
import { toCatalogue, toToolsPage } from "./tools-page.ts";

/** The handlers of the pages. */
export interface WebHandlers {
  /** GET / */
  home: Handler;
  /** GET /sign-in */
  signIn: Handler;
  /** GET /tools */
  tools: Handler;
  /** GET /tools/:slug, filled by page/tools/tool.tsx. */
  tool: Handler;
  /** GET /pipelines, filled by page/pipelines/pipelines.tsx. */
  pipelines: Handler;
  /** GET /web/tools/:slug: what the page of a tool needs to know of it. */
  list: Handler;
  definition: Handler;
  /** GET /settings/:page, filled by a script of page/settings. */
  settings: Handler;
  /** GET /operator/:page, filled by a script of page/operator. */
  operator: Handler;
  /** GET /web/:file, the assets of the pages; their names contain a hash. */
  file: Handler;
  /** GET /web/build: identifies the release, which open pages compare with their own. */
  build: Handler;
  /** Sends the page of a problem, `GET /problems/<code>`. */
  problem(exchange: Exchange, code: ErrorCode): void | Promise<void>;
  /** Sends the page of the API, `GET /api`. */
  api(exchange: Exchange, endpoints: readonly Endpoint[]): void | Promise<void>;
  /** Sends a page that is not stored. */
  show(exchange: Exchange, title: string, main: Markup, options?: ShowOptions): void;
  /** Shows a refusal to a person, with links to what can be done; home and the list of tools unless given. */
  refuse(exchange: Exchange, error: ToolError, links?: readonly Link[]): void;
  /** Returns the page of a refusal for a request whose path is not known. */
  refusal(error: ToolError, requestId: string): RefusalPage;
}

/** The assets of the pages, without their coding; `web/files.json` in the executable. */
interface Manifest extends Omit<PageFiles, "tab"> {
  files: string[];
}

/** The assets of the worker that runs tools in a browser; `web/tab-files.json` in the executable. */
interface TabFiles {
  manifest: string;
  loader: string;
  /** The tools that can run in a browser. */
  tools: string[];
  files: string[];
}

/** The section and the layout of a page; a text that is in no part of the header unless given. */
interface Look {
  layout?: Layout;
  current?: Part;
}

const htmlType = "text/html; charset=utf-8";

export function createHandlers({ reply, basePath }: Http, deps: WebDeps): WebHandlers {
  const { catalog, options, commit, graphql, read = readBundled } = deps;
  const signOn = toSignOn(deps);
  const assets = createAssets({
    reply,
    missing: "The pages of this version have no such file. Load the page again.",
  });
  const tabTools = new Set<string>();
  const manifest = readManifest(read, assets, tabTools);
  const surroundings = {
    catalog,
    anonymous: options.anonymous,
    runsInTab: (slug: string) => tabTools.has(slug),
  };
  const build = hash(
    "sha256",
    [options.version, commit, JSON.stringify(manifest)].join("\n"),
    "base64url",
  ).slice(0, 16);

  const graphiql = graphql.enabled && graphql.graphiql;

  const page = (exchange: Exchange, title: string, main: Markup, look?: Look): string =>
    pageFrom(rootFrom(exchange, basePath), title, main, look);

  function pageFrom(root: string, title: string, main: Markup, { layout, current }: Look = {}): string {
    return toDocument({
      title,
      main,
      layout: layout ?? "text",
      current,
      root,
      build,
      version: options.version,
      files: manifest,
      graphiql,
    });
  }

  const homeParts = (exchange: Exchange): HomeParts => ({
    version: options.version,
    anonymous: options.anonymous,
    url: shownUrl(exchange, basePath),
    root: rootFrom(exchange, basePath),
    tools: catalog.slugs.length,
  });

  /** Sends a document that its URL shows to some clients only. */
  function send(exchange: Exchange, type: string, text: string): void | Promise<void> {
    const headers = type === htmlType ? pageHeaders(exchange) : [];
    return sendTagged(reply, exchange, toTagged(type, text), [...headers, "Vary", "Accept"]);
  }

  function sendSection(exchange: Exchange, section: SectionName): void | Promise<void> {
    const { title, main } = toSectionPage(section, exchange.params?.["page"] ?? "") ?? {};
    if (title === undefined || main === undefined) throw nothingHere();
    return send(exchange, htmlType, page(exchange, title, main, { layout: "app" }));
  }

  return {
    ...createRefusalPages({
      basePath,
      reply,
      pageFrom,
      sendPage: (exchange, title, main) => send(exchange, htmlType, page(exchange, title, main)),
    }),
    async home(exchange) {
      const form = homeForm(exchange.req.headers.accept);
      // Programs got this before there were pages.
      if (form === undefined) throw nothingHere();
      const parts = homeParts(exchange);
      if (form === "text") return send(exchange, "text/plain; charset=utf-8", toHomeText(parts));
      return send(
        exchange,
        htmlType,
        page(
          exchange,
          "penknife: developer tools over HTTP",
          toHome(parts, toCatalogue(await catalog.all(), parts.root, surroundings.runsInTab, "h2")),
          {
            layout: "home",
            current: "home",
          },
        ),
      );
    },
    signIn(exchange) {
      const to = toOwnPage(new URLSearchParams(exchange.query).get("to"));
      return send(exchange, htmlType, page(exchange, "Sign in", toSignInPage(signOn, to)));
    },
    async tools(exchange) {
      // Programs got this before there were pages.
      if (!prefersPage(exchange.req.headers.accept)) throw nothingHere();
      const main = toToolsPage(await catalog.all(), rootFrom(exchange, basePath), surroundings.runsInTab);
      return send(exchange, htmlType, page(exchange, "Tools", main, { layout: "home", current: "tools" }));
    },
    async tool(exchange) {
      // Programs got this before there were pages.
      if (!prefersPage(exchange.req.headers.accept)) throw nothingHere();
      const tool = await catalog.get(exchange.params?.["slug"] ?? "");
      const main = toToolPage(tool, surroundings);
      const look: Look = { layout: "tool", current: "tools" };
      return send(exchange, htmlType, page(exchange, nameOf(tool), main, look));
    },
    pipelines(exchange) {
      // Programs got this before there were pages.
      if (!prefersPage(exchange.req.headers.accept)) throw nothingHere();
      return send(
        exchange,
        htmlType,
        page(exchange, "Pipelines", pipelinesPage, { layout: "pipelines", current: "pipelines" }),
      );
    },
    async list(exchange) {
      const items = (await catalog.all()).map(toListed);
      return sendTagged(reply, exchange, toTagged("application/json", JSON.stringify({ items })));
    },
    async definition(exchange) {
      const tool = await catalog.get(exchange.params?.["slug"] ?? "");
      const text = JSON.stringify(toDefinition(tool, surroundings));
      return sendTagged(reply, exchange, toTagged("application/json", text));
    },
    settings: (exchange) => sendSection(exchange, "settings"),
    operator: (exchange) => sendSection(exchange, "operator"),
    file: (exchange) => assets.send(exchange, exchange.params?.["file"] ?? ""),
    build(exchange) {
      reply.send(exchange, 200, "application/json", JSON.stringify({ build }), ["Cache-Control", "no-store"]);
    },
    api(exchange, endpoints) {
      const main = toApiPage(homeParts(exchange), endpoints, { ...deps, graphiql });
      return send(exchange, htmlType, page(exchange, "API", main, { current: "api" }));
    },
    show(exchange, title, main, { status = 200, referrer } = {}) {
      const headers = [...pageHeaders(exchange, referrer), "Cache-Control", "no-store"];
      reply.send(exchange, status, htmlType, page(exchange, title, main), headers);
    },
  };
}

/** page/pipelines/pipelines.tsx fills it. */
const pipelinesPage = markup`<h1>Pipelines</h1>
<p class="lead">Run tools one after the other: each receives the result of the one before.</p>
<noscript><p class="notice">This page needs JavaScript. Pipelines also run over HTTP and at the command line.</p></noscript>
<div data-page="pipelines"></div>`;

/**
 * Returns the form of the home page for an Accept header: a page for browsers, text for those that accept anything, as curl
 * does, and undefined for those that want JSON.
 */
function homeForm(accept = "*/*"): "html" | "text" | undefined {
  const forms = [
    ["text/plain", "text"],
    ["text/html", "html"],
  ] as const;
  if (!/json/i.test(accept)) return prefer(accept, forms);
  return prefer(accept, [["application/json", undefined], ["application/problem+json", undefined], ...forms]);
}

/** Returns the names that pages load, and adds all assets to `assets` and the slugs of tools that run in a tab to `tabTools`. */
function readManifest(
  read: NonNullable<WebDeps["read"]>,
  assets: Assets,
  tabTools: Set<string>,
): PageFiles | undefined {
  const text = read("web/files.json");
  const tabText = read("web/tab-files.json");
  if (text === undefined || tabText === undefined) return undefined;
  const { files, ...loaded } = JSON.parse(Buffer.from(text).toString()) as Manifest;
  const tab = JSON.parse(Buffer.from(tabText).toString()) as TabFiles;
  for (const name of [...files, ...tab.files]) {
    const headers = name === tab.loader ? workerHeaders : [];
    assets.add(name, read(`web/${name}.br`) ?? new Uint8Array(), headers);
  }
  for (const slug of tab.tools) tabTools.add(slug);
  return { ...loaded, tab: tab.manifest };
}
