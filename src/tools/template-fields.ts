import { z } from "zod";
import { htmlReferences } from "../lib/html-entities.ts";

/** The fields of a template, besides its text and its variables. */
export const templateFields = {
  syntax: z
    .enum(["mustache", "envsubst"])
    .default("mustache")
    .describe(
      "Template syntax: mustache ({{name}}, sections and comments, without partials and lambdas) or envsubst ($NAME, ${NAME} and the forms of POSIX shells, such as ${NAME:-default}, ${NAME:?message}, ${NAME:+text}, ${#NAME}, ${NAME%pattern})",
    ),
  missing: z
    .enum(["error", "empty", "keep"])
    .default("error")
    .describe(
      "Handling of a variable without a value: error reports it, empty renders nothing, keep leaves it as it is, and forms of bash too; a section may test for a value",
    ),
  only: z
    .array(
      z
        .string()
        .regex(
          /^(?:[A-Za-z_]\w{0,255}|\$[A-Za-z_]\w{0,255}|\$\{[A-Za-z_]\w{0,255}\})$/,
          "Must be the name of a variable.",
        ),
    )
    .max(1000)
    .default([])
    .describe(
      "Variables to substitute with envsubst; references to others are left as they are, as nginx needs",
    ),
  escape: z
    .enum(["html", "none"])
    .default("html")
    .describe("Escaping of {{name}} in mustache; {{{name}}} is never escaped"),
};

/** Returns how {{name}} of mustache escapes its value. */
export const toEscape = (escape: "html" | "none"): ((text: string) => string) =>
  escape === "none"
    ? (text) => text
    : (text) => text.replaceAll(/[&<>"']/g, (char) => htmlReferences.get(char) ?? char);
