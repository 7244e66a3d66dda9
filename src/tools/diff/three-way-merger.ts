import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { mergeOrRefuse, mergeFields, reportConflicts } from "../merge-fields.ts";

export default defineTool({
  slug: "three-way-merger",
  title: "Three way merger",
  version: "1.0.1",
  summary:
    "Merge the changes that two texts have made to a third, as Git does, with markers around conflicts.",
  page: {
    tile: "Ours, theirs and their base",
    layout: "compare",
    view: "text",
    options: ["conflicts", "style"],
    second: "other",
    labels: {
      data: "Ours",
      base: "Base",
      other: "Theirs",
      "conflicts=markers": "Mark",
      "conflicts=error": "Refuse",
      "conflicts=ours": "Take ours",
      "conflicts=theirs": "Take theirs",
      "conflicts=union": "Take both",
      labels: "Names",
    },
    start: { base: "" },
  },
  accepts: "our version of a text",
  aliases:
    "git merge-file, diff3, diff3 -m, merge -p, three-way merge, 3-way merge, merge conflict, resolve conflict, conflict markers, zdiff3, merge.conflictstyle, git merge -x ours, git merge -x theirs, merge=union, kdiff3, merge two versions",
  input: z.object({ data: z.string().describe("Our version of the text"), ...mergeFields }),
  isolate: "process",
  exact: true,
  examples: [
    {
      input: { data: "1\nb\nc\nd\n", base: "a\nb\nc\nd\n", other: "a\nb\nc\n4\n" },
      result: "1\nb\nc\n4\n",
    },
    {
      title: "A conflict, with the common ancestor",
      input: {
        data: "port=80\n",
        base: "port=8000\n",
        other: "port=443\n",
        style: "diff3",
        labels: ["main", "v1", "feature"],
      },
      result: "<<<<<<< main\nport=80\n||||||| v1\nport=8000\n=======\nport=443\n>>>>>>> feature\n",
    },
    {
      title: "Both sides added lines to a changelog",
      input: { data: "# Log\n- fix A\n", base: "# Log\n", other: "# Log\n- fix B\n", conflicts: "union" },
      result: "# Log\n- fix A\n- fix B\n",
    },
    {
      title: "Their version wins where both have changed a line; our other changes stay",
      input: {
        data: "a=1\nx\ny\nz\nb=1\n",
        base: "a=0\nx\ny\nz\nb=0\n",
        other: "a=0\nx\ny\nz\nb=2\n",
        conflicts: "theirs",
      },
      result: "a=1\nx\ny\nz\nb=2\n",
    },
  ],
  check: "difference",
  run: ({ data, ...options }) => mergeOrRefuse(data, options),
  report: ({ data, ...options }) => reportConflicts(data, options),
});
