import * as fc from "fast-check";

/** Draws documents, and expressions of XPath 1.0 with a number, a text or a truth as their value, which is the same in 3.1. */
export const drawQueries = (numRuns: number, seed: number): [data: string, query: string][] =>
  fc.sample(fc.tuple(documents, expression), { numRuns, seed });

const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("one", "2", "3.5", " ", "a&amp;b", "<![CDATA[<c>]]>", "<!--c-->", "<?p i?>"),
    fc
      .tuple(
        fc.constantFrom("a", "b", "c", "x:a"),
        fc.constantFrom("", ' i="1"', ' i="2" j="&#9;z"', ' x:i="3"', " i='1' x:i='4'"),
        fc.array(tie("tree"), { maxLength: 4 }),
      )
      .map(([name, attributes, inner]) => `<${name}${attributes}>${inner.join("")}</${name}>`),
  ),
}));
const documents = fc.array(tree, { minLength: 3, maxLength: 6 }).map((trees) => {
  return `<a xmlns:x="urn:x">${trees.join("")}</a>`;
});

const axis = fc.constantFrom(
  ..."child descendant descendant-or-self self parent ancestor ancestor-or-self following preceding following-sibling preceding-sibling".split(
    " ",
  ),
);
const kind = fc.constantFrom(
  "a",
  "b",
  "*",
  "x:a",
  "node()",
  "text()",
  "comment()",
  "processing-instruction()",
);
const condition = fc.constantFrom(
  ..."[1] [last()] [position()=2] [@i] [@i=1] [not(@i)] [b] [text()='one'] [count(*)>1] [string()='2'] [@x:i>3] [contains(.,'e')] [starts-with(name(),'x')]"
    .split(" ")
    .concat("", ""),
);
const step = fc.tuple(axis, kind, condition).map(([along, to, only]) => `${along}::${to}${only}`);
const path = fc
  .tuple(fc.constantFrom("//", "/", "/a/", "//b/"), fc.array(step, { minLength: 1, maxLength: 3 }))
  .map(([start, steps]) => start + steps.join("/"));

const expression = fc.oneof(
  path.map((nodes) => `count(${nodes})`),
  fc.tuple(path, path).map(([one, other]) => `count(${one} | ${other})`),
  path.map((nodes) => `string((${nodes})[1])`),
  path.map((nodes) => `name((${nodes})[last()])`),
  fc.tuple(path, path).map(([one, other]) => `boolean(${one}) and not(${other})`),
  path.map((nodes) => `string-length(normalize-space(string((${nodes})[1])))`),
  path.map((nodes) => `concat(substring(string((${nodes})[1]), 2, 3), '|', local-name((${nodes})[1]))`),
  path.map((nodes) => `translate(string((${nodes})[last()]), 'one', '123')`),
);
