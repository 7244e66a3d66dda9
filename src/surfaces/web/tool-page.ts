import type { CatalogTool } from "../../catalog/catalog.ts";
import { describe } from "../../catalog/describe.ts";
import { type Markup, markup } from "./markup.ts";

/** The content of a tool's page, complete without the script but for the form; page/tools/tool.tsx adds it. */
export const toToolPage = (tool: CatalogTool): Markup => markup`<h1>${tool.title}</h1>
<p class="lead">${tool.summary}</p>
<noscript><p class="notice">The form of this page needs JavaScript. The tool also runs over HTTP and at the command line.</p></noscript>
<div data-page="tool" data-tool="${JSON.stringify(describe(tool))}"></div>`;
