import { invalidField } from "../catalog/input.ts";
import { readDictionary } from "./json-value.ts";

/** Reads the field `namespaces` of xml-query. @throws ToolError if it is no JSON object of strings */
export function readNamespaces(text: string): Map<string, string> {
  return new Map(
    [...readDictionary(text, "namespaces", 'an object such as {"a": "http://www.w3.org/2005/Atom"}')].map(
      ([prefix, uri]) => {
        if (typeof uri === "string") return [prefix, uri];
        throw invalidField(
          "namespaces",
          `The namespace of ${JSON.stringify(prefix.slice(0, 64))} must be a string.`,
        );
      },
    ),
  );
}

/** Common uses of xml-query. */
export const xmlQueryExamples = [
  {
    input: {
      data: '<shop><book id="b1"><title>Emma</title><price>9.99</price></book><book id="b2"><title>Ulysses</title><price>12</price></book></shop>',
      query: "//book[price > 10]/title",
      indent: 0,
    },
    result: '["Ulysses"]',
  },
  {
    title: "The versions of a pom.xml, whose elements are in a namespace",
    input: {
      data: '<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <dependency><artifactId>a</artifactId><version>1.0</version></dependency>\n  <dependency><artifactId>b</artifactId><version>2.1</version></dependency>\n</project>',
      query: "//dependency ! concat(artifactId, ':', version)",
      namespaces: '{"": "http://maven.apache.org/POM/4.0.0"}',
      output: "raw" as const,
    },
    result: "a:1.0\nb:2.1",
  },
  {
    title: "Elements as they are written, as xmllint --xpath prints them",
    input: {
      data: "<a><b n='1'>x</b>\n<b n='2'/></a>",
      query: "//b",
      output: "xml" as const,
    },
    result: "<b n='1'>x</b>\n<b n='2'/>",
  },
  {
    title: "Paths and places",
    input: {
      data: '<a>\n  <b/>\n  <b n="2"/>\n</a>',
      query: "//@n",
      output: "nodes" as const,
      indent: 0,
    },
    result: '[{"path":"/a[1]/b[2]/@n","kind":"attribute","name":"n","value":"2","line":3,"column":6}]',
  },
];
