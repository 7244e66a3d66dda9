import { z } from "zod";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { type Charset, checkStyle } from "../../lib/editorconfig/check.ts";
import { fixStyle } from "../../lib/editorconfig/fix.ts";
import { lintEditorConfig } from "../../lib/editorconfig/lint-config.ts";
import { readStyled } from "../../lib/editorconfig/read.ts";
import { editorconfigExamples } from "../editorconfig-examples.ts";
import { maxName, settingsOf, toEditorconfigOptions } from "../editorconfig-settings.ts";
import { findingOf, toSortedFindings } from "../findings.ts";

interface Settings {
  name: string;
  editorconfig: string;
}

export default defineTool({
  slug: "editorconfig-checker",
  title: "EditorConfig checker",
  summary:
    "Check a text by EditorConfig settings: indentation, line ends, trailing spaces, final line end, charset.",
  page: {
    tile: "Style by .editorconfig",
    layout: "compare",
    view: "report",
    options: ["name"],
    second: "editorconfig",
    labels: { data: "Text", name: "Name of the file", editorconfig: ".editorconfig" },
  },
  accepts: "text",
  aliases:
    "editorconfig, .editorconfig, eclint, ec, check indentation, tabs or spaces, indent_style, end_of_line, trim_trailing_whitespace, insert_final_newline, max_line_length, check charset, code style check",
  input: z.object({
    data: z.string().describe("The text"),
    name: z
      .string()
      .max(maxName)
      .default("file")
      .describe("Path of the text below the folder of the .editorconfig, by which its sections apply"),
    editorconfig: z
      .string()
      .max(1_048_576)
      .default("")
      .describe("The .editorconfig; a check of files finds those above each file in its repository"),
  }),
  isolate: "process",
  check: "report",
  settings: { file: ".editorconfig", toOptions: toEditorconfigOptions },
  examples: editorconfigExamples,
  run: ({ data, ...settings }) =>
    report(data, data, data.startsWith("\ufeff") ? "utf-8-bom" : "utf-8", settings),
  runBytes(data, settings) {
    const read = readStyled(data);
    return read === undefined ? toReport([]) : report(data, read.text, read.charset, settings);
  },
  fix: ({ data, name, editorconfig }) => fixStyle(data, settingsOf(name, editorconfig)),
});

function report(
  data: string | Uint8Array,
  text: string,
  charset: Charset,
  { name, editorconfig }: Settings,
): Report {
  const style = checkStyle(text, charset, settingsOf(name, editorconfig));
  if (editorconfig.trim() === "" && !isConfig(name)) {
    const message = "There are no settings: give the .editorconfig, so that there is something to check.";
    return toReport([findingOf("no-settings", message, "warning")]);
  }
  const found = isConfig(name) ? [...lintEditorConfig(text), ...style] : style;
  // Places in a text that is no UTF-8 are those of the same text as UTF-8.
  return toReport(toSortedFindings(charset.startsWith("utf-8") ? data : text, found));
}

const isConfig = (name: string): boolean => /(?:^|\/)\.editorconfig$/.test(name);
