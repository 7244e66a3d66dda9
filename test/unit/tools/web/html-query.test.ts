import { expect, test } from "vitest";
import tool from "../../../../src/tools/web/html-query.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const query = (data: string, selector: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, selector, ...options });

const page = `<!doctype html><title>T &amp; t</title>
<nav><a href="/a">A</a> <a href="https://b.example/" rel=nofollow>B</a></nav>
<main id=m class="x y"><h2>One</h2><p>first <b>bold</b>
 text<p lang=en-GB>second<script>no()</script><ul><li>1<li class=x>2<li>3</ul></main>`;

/** Selectors of levels 3 and 4, with the texts of what they match. */
test.each([
  ["title", ["T & t"]],
  ["A", ["A", "B"]],
  ["nav > a:first-child", ["A"]],
  ["a[href^='https:'], h2", ["B", "One"]],
  ["a[rel~=nofollow]", ["B"]],
  ["a:not([rel])", ["A"]],
  ["#m.x.y > p", ["first bold text", "second"]],
  ["p[lang|=en]", ["second"]],
  ["li:nth-child(2n+1)", ["1", "3"]],
  ["li:nth-last-child(1)", ["3"]],
  ["li.x ~ li", ["3"]],
  ["li + li", ["2", "3"]],
  ["h2:has(+ p)", ["One"]],
  [":is(h2, b)", ["One", "bold"]],
  ["p:nth-of-type(2)", ["second"]],
  ["[CLASS='x']", ["2"]],
  ["x", []],
])("%s", async (selector, texts) => {
  expect((await query(page, selector)).split("\n").filter(Boolean)).toEqual(texts);
});

test("elements are as HTML closes them, and as they are written", async () => {
  expect(await query(page, "li", { output: "html" })).toBe('<li>1</li>\n<li class="x">2</li>\n<li>3</li>');
  expect(await query("<br><IMG src=a>x", "img, br", { output: "html" })).toBe('<br>\n<img src="a">');
  expect(
    await query("<svg><a xlink:href='#é'>é</a></svg>", "a", { output: "attribute", attribute: "XLINK:HREF" }),
  ).toBe("#é");
  expect(await query("<table><tr><td>1</table>", "table > tbody > tr > td")).toBe("1");
});

test("text has spaces between blocks and none within words", async () => {
  expect(await query("<div>a<b>b</b>c<p>d</p>e<br>f&nbsp;g\n\n h</div>", "div")).toBe("abc d e f\u00a0g h");
  expect(await query("<p>a<style>b{}</style><!-- c --></p>", "p")).toBe("a");
});

test("only the first ones, or some of them", async () => {
  expect(await query(page, "li", { first: true })).toBe("1");
  expect(await query(page, "li", { limit: 2 })).toBe("1\n2");
  expect(await query(page, "a", { output: "attribute", attribute: "rel" })).toBe("nofollow");
});

test.each([
  ["a[", {}, "selector", "This is not a CSS selector"],
  ["a:foo(b)", {}, "selector", "Unknown pseudo-class"],
  [
    `${":not(".repeat(51)}a${")".repeat(51)}`,
    {},
    "selector",
    "at most 50 parentheses in one another, at character 255",
  ],
  ["a", { output: "attribute" }, "attribute", "set both, or neither"],
  ["a", { attribute: "href" }, "attribute", "set both, or neither"],
])("%s with %o is refused", async (selector, options, field, message) => {
  const refusal = await refusalOf(query("<a>", selector, options));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: `/${field}` });
  expect(refusal.message).toContain(message);
});

test("a document that is too deep is refused at its place, and one without end tags is not deep", async () => {
  const refusal = await refusalOf(query(`<p>\n${"<i>".repeat(1001)}`, "i"));
  expect(refusal).toMatchObject({ code: "invalid_document", line: 2, column: 2992 });
  expect(await query("<p>".repeat(20_000), "p", { limit: 1, output: "html" })).toBe("<p></p>");
});

test("no input is executed or fetched, and names of objects are names", async () => {
  const data =
    '<a constructor=1 __proto__=2 onclick="x()">a</a><script src="http://x.example/a.js"></script>';
  expect(JSON.parse(await query(data, "a", { output: "json" }))).toMatchObject([
    { name: "a", attributes: { constructor: "1", onclick: "x()" } },
  ]);
  expect(await query(data, "script", { output: "attribute", attribute: "src" })).toBe(
    "http://x.example/a.js",
  );
});

/** Each is linear here, and quadratic in the library or its parser. */
test.each([
  ["rows by number", `<table>${"<tr><td>x".repeat(20_000)}</table>`, "tr:nth-last-child(2n + 1)", 10_000],
  ["rows by number and kind", `<table>${"<tr><td>x".repeat(20_000)}</table>`, "tr:nth-of-type(3)", 1],
  ["rows beside rows", `<table>${"<tr><td>x".repeat(20_000)}</table>`, "tr + tr", 10_000],
  ["what is written in a table and goes before it", `<table>${"<br>x".repeat(20_000)}`, "br", 10_000],
])("%s", async (_, data, selector, count) => {
  const lines = await query(data, selector, { output: "json" });
  expect(JSON.parse(lines)).toHaveLength(count);
});

test.each([
  ["li:nth-child(odd)", "acegi"],
  ["li:nth-child( EVEN )", "bdfh"],
  ["li:nth-child(-n+3)", "abc"],
  ["li:nth-child(n + 8)", "hi"],
  ["li:nth-child(+3n - 2)", "adg"],
  ["li:nth-child(0n+2)", "b"],
  ["li:nth-child(-2n)", ""],
  ["li:nth-last-child(-2n+3)", "gi"],
  ["li:nth-child(2 of .x)", "f"],
  ["li:nth-last-child(2n+1 of .x, [title])", "bi"],
  ["li:not(:nth-child(-n + 7))", "hi"],
  ["li:is(:nth-child(1), :nth-child(4))", "ad"],
])("%s selects %s", async (selector, letters) => {
  const items = [..."abcdefghi"].map((letter) => {
    const attributes = { b: " class=x", f: " class=x", i: " title" }[letter] ?? "";
    return `<!-- - --> <li${attributes}>${letter}`;
  });
  expect((await query(`<ul>${items.join("")}</ul>`, selector)).replaceAll("\n", "")).toBe(letters);
});

test.each(["li:nth-child(x)", "li:nth-child(2 of [)", "li:nth-last-of-type(2 of .x)", "x:nth-child()"])(
  "%s is refused in any document",
  async (selector) => {
    expect(await refusalOf(query("", selector))).toMatchObject({ pointer: "/selector" });
  },
);

test("the tree is that of the standard", async () => {
  const html = (data: string, selector: string) => query(data, selector, { output: "html" });
  expect(await html("x", "html")).toBe("<html><head></head><body>x</body></html>");
  expect(await html("<p><b>1<p>2", "p")).toBe("<p><b>1</b></p>\n<p><b>2</b></p>");
  expect(await html("<b>1<i>2</b>3</i>", "b, i")).toBe("<b>1<i>2</i></b>\n<i>2</i>\n<i>3</i>");
  expect(await html("<body><noscript><img src=a></noscript>", "noscript > img")).toBe('<img src="a">');
  expect(await html("<template><p>1</p></template><p>2", "p")).toBe("<p>2</p>");
  expect(await query("<svg><foreignObject viewBox='0 0 1 1'><p>x", "foreignobject[viewbox] > p")).toBe("x");
  expect(await query("\uFEFF<p>x", "p")).toBe("x");
  expect(await query("<tr><td>x", "td")).toBe("");
});
