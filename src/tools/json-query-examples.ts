/** Common uses of json-query, in each of its languages. */
export const queryExamples = [
  {
    input: { data: '{"a":[{"n":1.50},{"n":20}]}', query: "$.a[?@.n < 2].n", indent: 0 },
    result: "[1.50]",
  },
  {
    title: "Paths of the matches; integers beyond 2^53 are compared exactly",
    input: {
      data: '{"__proto__":[9007199254740993]}',
      query: "$..[?@ > 9007199254740992]",
      output: "nodes",
    },
    result:
      '[\n  {\n    "path": "$[\'__proto__\'][0]",\n    "pointer": "/__proto__/0",\n    "value": 9007199254740993\n  }\n]',
  },
  {
    title: "JMESPath",
    input: {
      data: '{"p":[{"name":"b","age":30},{"name":"a","age":25}]}',
      query: "p[?age > `26`].{n: name} | [0].n",
      language: "jmespath",
    },
    result: '"b"',
  },
  {
    title: "JSONata",
    input: {
      data: '{"id":12345678901234567890,"items":[{"price":2.50,"n":2},{"price":1.25,"n":4}]}',
      query: '{"total": $sum(items.(price * n)), "first": items[0]}',
      language: "jsonata",
      indent: 0,
    },
    result: '{"total":10,"first":{"price":2.50,"n":2}}',
  },
  {
    title: "Raw: one match a line, strings without quotes",
    input: { data: '{"a":["x y",1.0,{"b":null}]}', query: "$.a[*]", output: "raw" },
    result: 'x y\n1.0\n{"b":null}',
  },
  {
    title: "jq: reports of a service, by their team",
    input: {
      data: '{"pods":[{"name":"api","restarts":7,"team":"a"},{"name":"web","restarts":0,"team":"b"},{"name":"job","restarts":2,"team":"a"}]}',
      query: ".pods | group_by(.team) | map({team: .[0].team, restarts: map(.restarts) | add})",
      language: "jq",
      indent: 0,
    },
    result: '[{"team":"a","restarts":9},{"team":"b","restarts":0}]',
  },
  {
    title: "jq -r on lines of a log, with a variable; every digit of a number is kept",
    input: {
      data: '{"level":"error","id":12345678901234567890,"msg":"a\\tb"}\n{"level":"info","id":2,"msg":"c"}\n',
      query: 'select(.level == $level) | "\\(.id) \\(.msg | @json)"',
      language: "jq",
      inputs: "ndjson",
      arguments: '{"level":"error"}',
      output: "raw",
    },
    result: '12345678901234567890 "a\\tb"',
  },
] as const;
