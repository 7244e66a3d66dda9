/** Common uses of html-query. */
export const htmlQueryExamples = [
  {
    title: "The addresses of links",
    input: {
      data: '<ul><li><a href="/a?x=1&amp;y=2">One</a><li><a href="/b" class="new">Two</a><li><a>None</a></ul>',
      selector: "li > a",
      output: "attribute" as const,
      attribute: "href",
    },
    result: "/a?x=1&y=2\n/b",
  },
  {
    title: "The text of the first column of a table",
    input: {
      data: "<table><tr><th>Name<th>Price\n<tr><td>Tea <b>green</b><td>3&nbsp;€\n<tr><td>Milk<td>1 €</table>",
      selector: "tbody td:first-child",
    },
    result: "Tea green\nMilk",
  },
  {
    title: "Elements as JSON",
    input: {
      data: '<h2 id="a">A</h2><p>one<p class=x>two',
      selector: "h2 ~ p.x",
      output: "json" as const,
    },
    result:
      '[\n  {\n    "name": "p",\n    "attributes": {\n      "class": "x"\n    },\n    "text": "two"\n  }\n]',
  },
  {
    title: "Elements as HTML; end tags that are left out are written",
    input: {
      data: "<ul><li>one<li><B TITLE=x>two</B><br></ul>",
      selector: "li:nth-child(2)",
      output: "html" as const,
    },
    result: '<li><b title="x">two</b><br></li>',
  },
];
