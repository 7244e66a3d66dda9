import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { rolldown } from "rolldown";
import { sheetsAsText } from "../../../../config/build/sheets.ts";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { execute } from "../../../../src/catalog/execute.ts";
import type { ViewName } from "../../../../src/catalog/view-name.ts";
import { pageHeaders } from "../../../../src/surfaces/web/policy.ts";
import { toDefinition } from "../../../../src/surfaces/web/tool-page.ts";
import { tools } from "../../../../src/tools/index.ts";
import { context } from "../../../unit/tools/run-tool.ts";

const root = new URL("../../../../", import.meta.url).pathname;
const page = `${root}src/surfaces/web/page/`;

/** The content of a page: a view with the result of a tool for an input. */
export interface Scene {
  slug: string;
  view: ViewName;
  input: Record<string, unknown>;
}

/** Serves pages with a view and nothing else, under the policy of all pages; tools run here instead of in the tab. */
export interface ViewStage {
  /** Returns the address of a page. */
  put(scene: Scene): string;
  close(): void;
}

/** The page: tabs as buttons, and the chosen one below. What the view calls is listed in `called`. */
const entry = `
import { h, render } from "preact";
import { useSignal } from "@preact/signals";
import { chooseView, openView } from "${page}views/view.ts";
import { readReport } from "${page}tab/call.ts";

globalThis.called = [];
async function run(slug, input) {
  const found = await (await fetch("/run", { method: "POST", body: JSON.stringify({ slug, input }) })).json();
  if (found.message !== undefined) return { kind: "refusal", refusal: { message: found.message, places: [] } };
  const result = found.base64 === undefined ? found.result : Uint8Array.fromBase64(found.base64);
  return { kind: "answer", result, report: typeof result === "string" ? readReport(result) : undefined };
}
const { definition, input, view: name } = await (await fetch("/scene" + location.search)).json();
const { data = "", ...options } = input;
const { result, report } = await run(definition.slug, input);
const view = await openView(chooseView(name, result, report));

function Stage() {
  const chosen = useSignal(0);
  const wraps = useSignal(true);
  const props = {
    definition, result, report, options, wraps: wraps.value,
    input: { kind: "text", text: data },
    onGoTo: (line, column) => called.push("goto " + line + ":" + column),
    callInTab: (given, slug) => run(slug ?? definition.slug, slug === undefined ? { ...input, ...given } : { data, ...given }),
    callOnServer: (slug, given) => (called.push("server " + slug), run(slug, { data, ...given })),
    onRunAgain: () => called.push("again"),
  };
  const tabs = view.tabs(props);
  return h("main", { class: "stage" },
    h("h1", {}, definition.title),
    h("p", { class: "tabs" }, tabs.map(({ label, count }, index) =>
      h("button", { type: "button", "aria-pressed": index === chosen.value, onClick: () => (chosen.value = index) }, label, " ", count))),
    h("div", { class: "shown" }, h(tabs[chosen.value].Component, props)));
}
render(h(Stage), document.body);
document.body.dataset.ready = "";
`;

export async function openViewStage(): Promise<ViewStage> {
  const catalog = createCatalog(tools);
  const scenes: Scene[] = [];
  const scripts = await bundle();
  const sheets = globSync("*.css", { cwd: page }).toSorted();
  const style = `${sheets.map((name) => readFileSync(page + name, "utf8")).join("\n")}
body { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); height: 100dvh; }
.stage { grid-row: 1; display: grid; grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr); background: var(--panel); }
.shown { min-height: 0; overflow: auto; }`;

  async function answer(request: IncomingMessage): Promise<[type: string, body: string]> {
    const url = new URL(request.url ?? "", "http://stage");
    const script = scripts.get(url.pathname);
    if (script !== undefined) return ["text/javascript", script];
    if (url.pathname === "/all.css") return ["text/css", style];
    if (url.pathname === "/scene") {
      const { slug, view, input } = scenes[Number(url.searchParams.get("scene"))] as Scene;
      const tool = await catalog.get(slug);
      const definition = toDefinition(tool, { catalog, anonymous: true, runsInTab: () => true });
      return ["application/json", JSON.stringify({ definition, view, input })];
    }
    if (url.pathname === "/run") return ["application/json", await run(await text(request))];
    const sprite = readFileSync(`${page}icons.svg`, "utf8");
    return [
      "text/html",
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>A view</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/all.css"><body>${sprite}<script type="module" src="/entry.js"></script></body></html>`,
    ];
  }

  async function run(body: string): Promise<string> {
    const { slug, input } = JSON.parse(body) as Pick<Scene, "slug" | "input">;
    try {
      const call = { slug, body: { kind: "input" as const, input }, form: "bytes" as const, check: false };
      const found = await execute(await catalog.get(slug), call, context);
      const bytes = Buffer.from(found.body);
      return JSON.stringify(
        bytes.toString("utf8").includes("\ufffd")
          ? { base64: bytes.toString("base64") }
          : { result: bytes.toString("utf8") },
      );
    } catch (error) {
      return JSON.stringify({ message: (error as Error).message });
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [type, body] = await answer(request);
    const [name = "", policy = ""] = pageHeaders({ req: { headers: request.headers } });
    response.setHeader(name, policy);
    response.setHeader("Content-Type", type);
    response.end(body);
  }

  const server = createServer((request, response) => void respond(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    put(scene) {
      scenes.push(scene);
      return `http://127.0.0.1:${port}/?scene=${scenes.length - 1}`;
    },
    close: () => void server.close(),
  };
}

/** Returns the scripts by their paths. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const build = await rolldown({
    input: { entry: "view-stage" },
    platform: "browser",
    cwd: root,
    tsconfig: false,
    transform: { jsx: { runtime: "automatic", importSource: "preact" }, target: "es2022" },
    plugins: [
      {
        name: "view-stage",
        resolveId: (id) => (id === "view-stage" ? `${root}test/view-stage.js` : undefined),
        load: (id) => (id === `${root}test/view-stage.js` ? entry : undefined),
      },
      sheetsAsText,
    ],
  });
  const { output } = await build.generate({ format: "esm", entryFileNames: "[name].js" });
  return new Map(
    output.flatMap((chunk) => (chunk.type === "chunk" ? [[`/${chunk.fileName}`, chunk.code]] : [])),
  );
}
