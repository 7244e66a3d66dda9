import { z } from "zod";

/** The field for the names of the two texts in a patch. */
export const patchLabels = z
  .array(
    z
      .string()
      .max(1024)
      // Written without \p, which validators that compile patterns without the flag u do not support.
      // oxlint-disable-next-line no-control-regex
      .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, "Must not contain control characters."),
  )
  .length(2)
  .default(["a", "b"])
  .describe("Names of the old and the new text in the header of a patch");
