import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { applyPatch, patchFields, readHunks, writeApplied } from "../patch-fields.ts";

export default defineTool({
  slug: "patch-applier",
  title: "Patch applier",
  version: "1.0.1",
  summary: "Apply a unified patch to a text, or remove it again, and report where each hunk was found.",
  page: {
    tile: "A patch applied or reversed",
    layout: "compare",
    view: "text",
    options: ["reverse", "fuzz", "rejects", "output"],
    second: "patch",
    labels: {
      data: "Text",
      patch: "Patch",
      rejects: "If a hunk fails",
      "rejects=error": "Stop",
      "rejects=skip": "Skip it",
      "output=text": "Text",
      "output=report": "Hunks",
    },
  },
  accepts: "the text to patch",
  aliases:
    "patch, apply patch, patch -p1, patch -r, patch -l, git apply, git apply --reverse, git am, apply diff, apply unified diff, revert patch, reverse patch, undo patch, patch file, hunk failed, rejected hunk",
  input: z.object({
    data: z.string().describe("The text that the patch changes"),
    ...patchFields,
  }),
  isolate: "process",
  exact: true,
  examples: [
    {
      input: {
        data: "one\ntwo\nthree\n",
        patch: "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
      },
      result: "one\n2\nthree\n",
    },
    {
      title: "One file of a patch of Git, whose lines have moved",
      input: {
        data: "# one\n# two\n[http]\nport = 80\n",
        patch:
          "--- a/x.ini\n+++ b/x.ini\n@@ -1,2 +1,2 @@\n [http]\n-port = 80\n+port = 8080\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n",
        path: "x.ini",
      },
      result: "# one\n# two\n[http]\nport = 8080\n",
    },
    {
      title: "Where the hunks are, with one that fails",
      input: {
        data: "a\nb\nc\n",
        patch: "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -9 +9 @@\n-x\n+y\n",
        rejects: "skip",
        output: "report",
      },
      result:
        '{\n  "applied": 1,\n  "rejected": 1,\n  "hunks": [\n    {\n      "hunk": 1,\n      "applied": true,\n      "line": 1,\n      "offset": 0,\n      "fuzz": 0\n    },\n    {\n      "hunk": 2,\n      "applied": false,\n      "line": 9,\n      "offset": 0,\n      "fuzz": 0\n    }\n  ]\n}',
    },
    {
      title: "Back to the text before the patch, without a newline at its end",
      input: {
        data: "a\nb\n",
        patch: "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n",
        reverse: true,
      },
      result: "a",
    },
  ],
  run({ data, patch, path, output, ...options }) {
    const { result, hunks } = applyPatch(data, patch, readHunks(patch, path), options);
    return output === "text" ? result : writeApplied(hunks);
  },
});
