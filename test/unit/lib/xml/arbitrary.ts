import * as fc from "fast-check";

const name = fc.constantFrom("a", "b", "x:c", "é", "__proto__", "constructor");
const text = fc.constantFrom(
  " ",
  "\n  ",
  "t",
  " t ",
  "&lt;",
  "&#32;",
  "<![CDATA[ ]]>",
  "<![CDATA[<]]>",
  "]]",
  "é\t",
);
const other = fc.constantFrom("<!-- c -->", "<!--\n-->", "<?p x?>");
const attribute = fc.constantFrom(
  "p='1'",
  'q = "&amp; \'"',
  "xml:space='preserve'",
  "xml:space='default'",
  "r=''",
);

/** Well-formed documents with every kind of content. */
export const xmlDocument: fc.Arbitrary<string> = fc.letrec<{ element: string; content: string }>((tie) => ({
  content: fc.oneof({ maxDepth: 5, depthSize: "small" }, text, other, tie("element")),
  element: fc
    .tuple(
      name,
      fc.uniqueArray(attribute, { maxLength: 2, selector: (one) => one.slice(0, 4) }),
      fc.array(tie("content"), { maxLength: 4 }),
    )
    .map(([tag, attributes, content]) => {
      const start = [tag, ...attributes].join(" ");
      return content.length === 0 ? `<${start}/>` : `<${start}>${content.join("")}</${tag}>`;
    }),
})).element;
