import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { createEntityEncoder, encodeEntities, entityModes } from "../../lib/html-entities.ts";
import { createTextRun, endOfCharacters } from "../part-run.ts";

export default defineTool({
  slug: "html-entity-encoder",
  title: "HTML entity encoder",
  summary: "Encode characters with a special meaning in HTML as character references.",
  page: {
    tile: "< to &lt; and the like",
    view: "text",
    options: ["mode", "all"],
    labels: { all: "All non-ASCII characters" },
  },
  accepts: "text",
  aliases:
    "html entities, html escape, escape html, encode html, to html entity, &amp;, htmlspecialchars, htmlentities, html.escape, xss escape, escape angle brackets, xml escape, show html as text",
  input: z.object({
    data: z.string().describe("The text to encode"),
    mode: z
      .enum(entityModes)
      .default("minimal")
      .describe(
        "Characters to encode: minimal encodes & < > and both quotes; named also everything that has a name in HTML or is not ASCII; numeric and hex encode these five and non-ASCII characters by number",
      ),
    all: z.boolean().default(false).describe("Encode letters, digits and spaces as well"),
  }),
  exact: true,
  examples: [
    {
      input: { data: `<a title="it's">R&D</a>` },
      result: "&lt;a title=&quot;it&#39;s&quot;&gt;R&amp;D&lt;/a&gt;",
    },
    {
      title: "Names where they exist, numbers otherwise",
      input: { data: "café ⇌ 👋", mode: "named" },
      result: "caf&eacute; &rlhar; &#128075;",
    },
    {
      title: "All characters in hexadecimal",
      input: { data: "a é", mode: "hex", all: true },
      result: "&#x61;&#x20;&#xE9;",
    },
  ],
  run: ({ data, mode, all }) => encodeEntities(data, mode, all),
  async runBlocks({ mode, all }) {
    const encode = await createEntityEncoder(mode, all);
    return createTextRun("html-entity-encoder", {
      cut: (bytes) => endOfCharacters(bytes),
      write: (text) => [encode(text)],
    });
  },
});
