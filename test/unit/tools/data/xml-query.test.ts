import { expect, test } from "vitest";
import tool from "../../../../src/tools/data/xml-query.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

const shop = `<?xml version="1.0"?>
<!DOCTYPE shop>
<!-- one -->
<shop xmlns:x="urn:x" n="1">
  <book id="b1"><title>Emma</title><price>9.99</price></book>
  <book id="b2" x:new="yes"><title>Ul<![CDATA[ys]]>ses &amp; co</title><price>12</price></book>
  <x:note>a<?go now?>b</x:note>
</shop>`;

const query = (text: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data: shop, query: text, indent: 0, ...options });

test.each([
  ["//title", '["Emma","Ulysses & co"]'],
  ["/shop/book[2]/@*", '["b2","yes"]'],
  ["//book[price > 10]/title/text()", '["Ulysses & co"]'],
  ["count(//book), sum((1.5, 2)), 1 div 0, number('x'), -0.5", '[2,3.5,"INF","NaN",-0.5]'],
  ["//x:note, //*:note, //Q{urn:x}note, //note", '["ab","ab","ab"]'],
  ["//@x:new, //@new", '["yes"]'],
  ["//comment(), //processing-instruction('go')", '[" one ","now"]'],
  ["//x:note/node()", '["a","now","b"]'],
  ["exists(//book), empty(())", "[true,true]"],
  ["for $b in //book return concat($b/@id, '=', $b/price)", '["b1=9.99","b2=12"]'],
  ["//book ! (position() || '/' || last())", '["1/2","2/2"]'],
  ["map { 'a': [1, true(), 'x', (//title)[1]] }", '[{"a":[1,true,"x","Emma"]}]'],
  ["xs:date('2024-02-29') + xs:dayTimeDuration('P1D'), xs:hexBinary('ff')", '["2024-03-01","FF"]'],
  ["tokenize('a b  c') => string-join(',')", '["a,b,c"]'],
  ["matches((//title)[1], '^E.*a$'), replace('abc', 'b', 'x')", '[true,"axc"]'],
  ["let $t := //title return $t[last()]", '["Ulysses & co"]'],
  [
    "(//title)[1]/ancestor::* ! name(), (//price)[1]/preceding-sibling::* ! name()",
    '["shop","book","title"]',
  ],
  ["namespace-uri(//x:note), local-name(//x:note), name(//x:note)", '["urn:x","note","x:note"]'],
  ["name(/), local-name(/), local-name((//text())[1]), local-name(//comment()[1])", '["","","",""]'],
  ["(: a comment :) 1", "[1]"],
  ["()", "[]"],
])("%s", async (text, wanted) => {
  expect(await query(text)).toBe(wanted);
});

test("nodes have paths that lead to them, and places", async () => {
  const nodes = JSON.parse(
    await query(
      "//@id | //text()[normalize-space()] | //comment() | //processing-instruction() | //x:note | /",
      {
        output: "nodes",
      },
    ),
  ) as { path: string; kind: string; name?: string; value: string; line: number; column: number }[];
  expect(nodes.map(({ kind }) => kind)).toEqual(
    "document comment attribute text text attribute text text element text instruction text".split(" "),
  );
  for (const { path, value } of nodes) {
    const [again] = JSON.parse(await query(path)) as string[];
    expect([path, again]).toEqual([path, value]);
  }
  expect(nodes[5]).toEqual({
    path: "/shop[1]/book[2]/@id",
    kind: "attribute",
    name: "id",
    value: "b2",
    line: 6,
    column: 9,
  });
});

test("xml writes nodes as they are in the document", async () => {
  const written = (text: string, options = {}) => query(text, { output: "xml", ...options });
  expect(await written("//book[2]/title")).toBe("<title>Ul<![CDATA[ys]]>ses &amp; co</title>");
  expect(await written("//book[2]/title/text(), //@x:new, count(//book)")).toBe(
    'Ul<![CDATA[ys]]>ses &amp; co\nx:new="yes"\n2',
  );
  expect(await written("/")).toBe(shop);
  expect(await query("//title, 1 = 1, map { 'a': 1 }", { output: "raw" })).toBe(
    'Emma\nUlysses & co\ntrue\n{"a":1}',
  );
});

test("names of elements without a prefix have the namespace under the empty key", async () => {
  const data =
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:a="urn:a"><title b="1">t</title><a:title/></feed>';
  const ask = (text: string, namespaces: object) =>
    runTool(tool, { data, query: text, namespaces: JSON.stringify(namespaces), output: "raw" });
  expect(await ask("//title", {})).toBe("");
  expect(await ask("//title/@b", { "": "http://www.w3.org/2005/Atom" })).toBe("1");
  expect(await ask("//f:title, name(//a:title)", { f: "http://www.w3.org/2005/Atom" })).toBe("t\na:title");
  expect(await ask("//a:title/@b, //a:title", { a: "http://www.w3.org/2005/Atom" })).toBe("1\nt");
});

test.each([
  ["//book[", {}, "query", "Expected end of input, at character 7."],
  ["//a\n/b[\n", {}, "query", "at character 7"],
  ["1), (2", {}, "query", "at character 2"],
  ["//y:a", {}, "query", "The prefix y could not be resolved"],
  ["nope()", {}, "query", "nope with arity of 0 not registered"],
  ["y:f()", {}, "query", "The prefix y is not known; set its namespace in namespaces."],
  ["xs:date('x')", {}, "query", "FORG0001"],
  ["error()", {}, "query", "FOER0000"],
  ["for $b in //book order by $b return $b", {}, "query", "XPST0003"],
  ["<a/>", {}, "query", "XQuery functionality is not allowed"],
  ["insert node <a/> into /shop", {}, "query", "XPST0003"],
  ["delete node //book", {}, "query", "Updating expressions are not available"],
  ["doc('/etc/passwd')", {}, "query", "A query reads the document only: doc is not available."],
  ["fn:unparsed-text('/etc/passwd')", {}, "query", "unparsed-text is not available"],
  ["collection()", {}, "query", "collection is not available"],
  ["doc#1", {}, "query", "doc is not available"],
  ["'/etc/passwd' => json-doc()", {}, "query", "json-doc is not available"],
  [
    "Q{http://www.w3.org/2005/xpath-functions}current-date()",
    {},
    "query",
    "current-date is not available, at character 1",
  ],
  ["current-dateTime()", {}, "query", "the same result each time: current-dateTime"],
  [
    "f:current-time()",
    { namespaces: '{"f": "http://www.w3.org/2005/xpath-functions"}' },
    "query",
    "current-time",
  ],
  ["function-lookup(xs:QName('fn:current-date'), 0)", {}, "query", "function-lookup is not available"],
  ["e:sleep(1)", { namespaces: '{"e": "http://fontoxml.com/fontoxpath"}' }, "query", "not available"],
  ["Q{http://fontoxml.com/fontoxpath}version()", {}, "query", "not available"],
  ["upper-case#1", {}, "query", ""],
  ["1 + 1", { output: "nodes" }, "output", "set output to values or raw"],
  ["1", { namespaces: '{"a": 1}' }, "namespaces", 'The namespace of "a" must be a string.'],
])("%s is refused", async (text, options, field, message) => {
  const refusal = await refusalOf(query(text, options));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: `/${field}` });
  expect(refusal.message).toContain(message);
});

test.each([
  ["<a>\n<b></a>", 2],
  ["<a>\n<x:b/></a>", 2],
  ['<!DOCTYPE a [<!ENTITY e "x">]>\n<a>&e;</a>', 2],
  ["<a>".repeat(1001) + "</a>".repeat(1001), 1],
])("case %# of a document is refused at its place", async (data, line) => {
  expect(await refusalOf(runTool(tool, { data, query: "1" }))).toMatchObject({
    code: "invalid_document",
    line,
  });
});

test("a thousand levels can be queried", async () => {
  const data = `${"<a>".repeat(1000)}x${"</a>".repeat(1000)}`;
  const ask = (text: string) => runTool(tool, { data, query: text, output: "raw" });
  expect(await ask("count(//a), string(/a) , count(//text()/ancestor::a), deep-equal(/a, /a)")).toBe(
    "1000\nx\n1000\ntrue",
  );
});

test("bytes are decoded as they declare", async () => {
  const bytes = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\u00e9</a>', "latin1");
  expect(String(await runRaw(tool, bytes, { query: "/a", output: "raw" }))).toContain("é");
});

test("results in one another are limited together", async () => {
  const data = `${"<a>".repeat(900)}${"x".repeat(100_000)}${"</a>".repeat(900)}`;
  expect((await refusalOf(runTool(tool, { data, query: "//a" }))).message).toContain("larger than");
});
