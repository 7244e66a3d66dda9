import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { encodeEntities, entityModes } from "../../lib/html-entities.ts";

export default defineTool({
  slug: "html-entity-encoder",
  title: "HTML entity encoder",
  summary: "Write the characters that mean something in HTML as character references.",
  input: z.object({
    data: z.string().describe("The text to encode"),
    mode: z
      .enum(entityModes)
      .default("minimal")
      .describe(
        "minimal writes & < > and both quotes; named also whatever has a name in HTML or is not ASCII; numeric and hex write the five and what is not ASCII by number",
      ),
    all: z.boolean().default(false).describe("Whether letters, digits and spaces are written that way too"),
  }),
  exact: true,
  examples: [
    {
      input: { data: `<a title="it's">R&D</a>` },
      result: "&lt;a title=&quot;it&#39;s&quot;&gt;R&amp;D&lt;/a&gt;",
    },
    {
      title: "Names where there are some, numbers where there are none",
      input: { data: "café ⇌ 👋", mode: "named" },
      result: "caf&eacute; &rlhar; &#128075;",
    },
    {
      title: "Hexadecimal, everything",
      input: { data: "a é", mode: "hex", all: true },
      result: "&#x61;&#x20;&#xE9;",
    },
  ],
  run: ({ data, mode, all }) => encodeEntities(data, mode, all),
});
