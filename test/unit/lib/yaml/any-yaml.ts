import * as fc from "fast-check";

interface Node {
  kind: "map" | "seq";
  /** Spaces that it is indented by, more than what it is in. */
  step: number;
  entries: Entry[];
}

interface Comment {
  blank: boolean;
  /** Spaces more than those of the entry below it. */
  shift: number;
  text: string;
}

interface Entry {
  above: Comment[];
  behind: string;
  value: Node | string;
}

const comment: fc.Arbitrary<Comment> = fc.record({
  blank: fc.boolean(),
  shift: fc.integer({ min: -3, max: 4 }),
  text: fc.constantFrom("# c", "# - i", "#  k: v  ", "#"),
});

/** In these, INDENT stands for the indentation of what they are in. */
const scalar = fc.constantFrom(
  "1",
  "x y",
  "'it''s'",
  '"\\u202e\\N"',
  "",
  "~",
  "!t v",
  "&a v",
  "{{ t }}",
  "[]",
  "{}",
  "{b: 1,a:  [x,y ], }",
  "[ a, # in\nINDENT  # above\nINDENT   b\nINDENT ]",
  "{\nINDENT  b: 1, # b\nINDENT  # a\nINDENT  a: 2\nINDENT }",
  "plain\nINDENT   text",
  "'q\n\nINDENT  r '",
  '"q\\\nINDENT    r\\  "',
  "|\nINDENT  txt\nINDENT    more\n",
  "|+\nINDENT k\n\n\n",
  ">-  # h\nINDENT   fold\nINDENT   ed\n",
  "|2\nINDENT     z\n",
  "|-\n",
);

const { node } = fc.letrec<{ node: Node; entry: Entry }>((tie) => ({
  node: fc.record({
    kind: fc.constantFrom("map", "seq"),
    step: fc.integer({ min: 1, max: 4 }),
    entries: fc.array(tie("entry"), { minLength: 1, maxLength: 4, size: "max", depthIdentifier: "yaml" }),
  }),
  entry: fc.record({
    above: fc.array(comment, { maxLength: 2 }),
    behind: fc.constantFrom("", "", "", "  # t ", " #"),
    value: fc.oneof({ maxDepth: 3, depthIdentifier: "yaml", withCrossShrink: true }, scalar, tie("node")),
  }),
}));

/** YAML with comments in any place; some of it has a fault, such as a comment that is too near. */
export const anyYaml: fc.Arbitrary<string> = node.map((root) => write(root, root.step - 1));

function write({ kind, entries }: Node, indent: number): string {
  const pad = " ".repeat(indent);
  return entries
    .map(({ above, behind, value }, index) => {
      const comments = above.map(
        ({ blank, shift, text }) => `${blank ? "\n" : ""}${" ".repeat(Math.max(0, indent + shift))}${text}\n`,
      );
      const start = `${comments.join("")}${pad}${kind === "map" ? `${keys[index]}:` : "-"}`;
      if (typeof value !== "string") return `${start}${behind}\n${write(value, indent + value.step)}`;
      const text = value.replaceAll("INDENT", pad);
      return `${start}${text === "" ? "" : ` ${text}`}${text.endsWith("\n") ? "" : `${behind}\n`}`;
    })
    .join("");
}

const keys = ["c", "'b'", "d", "a"];
