import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { createEntityDecoder, decodeEntities, endOfReferences } from "../../lib/html-entities.ts";
import { createTextRun, endOfCharacters } from "../part-run.ts";

export default defineTool({
  slug: "html-entity-decoder",
  title: "HTML entity decoder",
  summary: "Decode HTML character references, exactly as browsers do.",
  page: {
    tile: "&amp; to &, as browsers do",
    view: "text",
    options: ["context"],
    labels: {
      context: "Where it stands",
      "context=text": "Between tags",
      "context=attribute": "In an attribute",
    },
  },
  accepts: "HTML text",
  aliases:
    "html entities, html unescape, unescape html, decode html, from html entity, &amp;, &lt;, &quot;, &nbsp;, html_entity_decode, htmlspecialchars_decode, html.unescape, decode xml entities, numeric character reference",
  input: z.object({
    data: z.string().describe("The text with character references"),
    context: z
      .enum(["text", "attribute"])
      .default("text")
      .describe(
        "Position of the text in HTML; in an attribute, a name without a semicolon is decoded only before a character that cannot continue it",
      ),
  }),
  exact: true,
  examples: [
    { input: { data: "&lt;caf&eacute;&gt; &#128075; &#x41;" }, result: "<café> 👋 A" },
    {
      title: "Names without a semicolon, Windows-1252 numbers and text that is not a reference",
      input: { data: "&notit; &amp &#128; &nosuch; &#;" },
      result: "¬it; & € &nosuch; &#;",
    },
    {
      title: "In an attribute",
      input: { data: "?a=1&copy=2&amp;b", context: "attribute" },
      result: "?a=1&copy=2&b",
    },
  ],
  run: ({ data, context }) => decodeEntities(data, context),
  async runBlocks({ context }) {
    const decode = await createEntityDecoder(context);
    return createTextRun("html-entity-decoder", {
      cut: (bytes) => endOfCharacters(bytes, endOfReferences(bytes)),
      write: (text) => [decode(text)],
    });
  },
});
