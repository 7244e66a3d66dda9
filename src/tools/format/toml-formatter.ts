import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";

export default defineTool({
  slug: "toml-formatter",
  title: "TOML formatter",
  summary: "Say in one sentence what it does.",
  input: z.object({
    data: z.string().describe("The document"),
    trim: z.boolean().default(false).describe("Leave out the white space at both ends"),
  }),
  examples: [
    { input: { data: "a b" }, result: "a b" },
    {
      title: "Without the white space around it",
      input: { data: " a b\n", trim: true },
      result: "a b",
    },
  ],
  run: ({ data, trim }) => (trim ? data.trim() : data),
});
