import { z } from "zod";
import { editText, type TextFormat } from "../lib/edit/edit-text.ts";
import { refusing, refusingOption } from "./refusing.ts";

/** The edits of an editor, and how it takes them. */
export const editFields = {
  edits: z
    .array(z.string().min(1).max(65_536))
    .min(1)
    .max(100)
    .describe(
      'The edits, made one after another: a.b=1 sets, -a.b removes, list[]+="x" appends; list[0], list[-1], list[] for every item, list[name=web] for those with a value; keys with other characters in quotes',
    ),
  strings: z
    .boolean()
    .default(false)
    .describe("Take each value as text, as helm --set-string does; otherwise 1.10 is a number"),
  missing: z
    .enum(["create", "error", "ignore"])
    .default("create")
    .describe(
      "Handling of paths that lead to nothing: create makes them, error refuses them, also those to remove, ignore skips them",
    ),
};

type Options = { [Name in keyof typeof editFields]: z.output<(typeof editFields)[Name]> };

/** Makes the edits in a document. @throws ToolError */
export const edit = (data: string, format: TextFormat, { edits, ...options }: Options): string =>
  refusing(data, () => refusingOption("edits", () => editText(data, edits, format, options)));
