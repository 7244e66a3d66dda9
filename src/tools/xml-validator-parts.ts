import type { Example } from "../catalog/tool.ts";

export const xmlValidatorExamples: Example<{ data: string; namespaces?: boolean; schema?: string }>[] = [
  { input: { data: '<a x="1">&lt;<b/></a>' }, result: '{\n  "valid": true,\n  "errors": []\n}' },
  {
    title: "A duplicate attribute",
    input: { data: '<?xml version="1.0"?>\n<a x="1" x="2"/>' },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The attribute x occurs twice.",\n      "severity": "error",\n      "rule": "duplicate-attribute",\n      "line": 2,\n      "column": 10,\n      "offset": 31,\n      "pointer": ""\n    }\n  ]\n}',
  },
  {
    title: "An undeclared prefix",
    input: { data: "<x:a/>", namespaces: true },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The prefix x is not declared.",\n      "severity": "error",\n      "rule": "namespace",\n      "line": 1,\n      "column": 2,\n      "offset": 1,\n      "pointer": ""\n    }\n  ]\n}',
  },
  {
    title: "A value that an XSD forbids",
    input: {
      data: "<order>\n  <quantity>two</quantity>\n</order>",
      schema:
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n  <xs:element name="order">\n    <xs:complexType>\n      <xs:sequence>\n        <xs:element name="quantity" type="xs:positiveInteger"/>\n      </xs:sequence>\n    </xs:complexType>\n  </xs:element>\n</xs:schema>',
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "Element \'quantity\': \'two\' is not a valid value of the atomic type \'xs:positiveInteger\'.",\n      "severity": "error",\n      "rule": "cvc-datatype-valid-1-2-1",\n      "line": 2,\n      "column": 3,\n      "offset": 10,\n      "pointer": ""\n    }\n  ]\n}',
  },
  {
    title: "An element that a RELAX NG schema does not have",
    input: {
      data: "<order><price>2</price></order>",
      schema:
        '<element name="order" xmlns="http://relaxng.org/ns/structure/1.0">\n  <element name="quantity"><text/></element>\n</element>',
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "Did not expect element price there.",\n      "severity": "error",\n      "rule": "element-not-allowed",\n      "line": 1,\n      "column": 8,\n      "offset": 7,\n      "pointer": ""\n    }\n  ]\n}',
  },
];
