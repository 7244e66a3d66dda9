import type { Example } from "../catalog/tool.ts";

type Input = { data: string; other: string; format?: "report" | "markdown" | "json"; ignore?: string[] };

const old = `openapi: "3.0.3"
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: 100}}
      responses:
        "200":
          description: Pets
          content:
            application/json:
              schema:
                type: object
                required: [id]
                properties: {id: {type: integer}, tag: {type: string}}
`;

const changed = old
  .replace("maximum: 100", "maximum: 50")
  .replace("required: [id]", "required: []")
  .replace("  responses:", "  deprecated: true\n      responses:");

/** Common uses of openapi-differ. */
export const differExamples: Example<Input>[] = [
  {
    input: { data: old, other: changed },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "GET /pets: the query parameter \\"limit\\": maximum is 50, was 100.",\n      "severity": "error",\n      "rule": "request-maximum-narrowed",\n      "line": 7,\n      "column": 69,\n      "offset": 162,\n      "pointer": "/paths/~1pets/get/parameters/0/schema/maximum"\n    },\n    {\n      "message": "GET /pets: response 200: the property \\"id\\" became optional.",\n      "severity": "error",\n      "rule": "response-property-became-optional",\n      "line": 15,\n      "column": 28,\n      "offset": 355,\n      "pointer": "/paths/~1pets/get/responses/200/content/application~1json/schema/required/0"\n    }\n  ]\n}',
  },
  {
    title: "A list for a pull request",
    input: { data: old, other: changed, format: "markdown" },
    result:
      '## Breaking\n\n- GET /pets: the query parameter "limit": maximum is 50, was 100.\n- GET /pets: response 200: the property "id" became optional.\n\n## Safe\n\n- GET /pets: the operation is deprecated.',
  },
  {
    title: "Every change with its place, without one rule",
    input: { data: old, other: changed, format: "json", ignore: ["request-parameter-max-decreased"] },
    result:
      '[\n  {\n    "impact": "breaking",\n    "rule": "response-property-became-optional",\n    "message": "GET /pets: response 200: the property \\"id\\" became optional.",\n    "operation": "GET /pets",\n    "in": "old",\n    "pointer": "/paths/~1pets/get/responses/200/content/application~1json/schema/required/0",\n    "line": 15,\n    "column": 28\n  },\n  {\n    "impact": "safe",\n    "rule": "operation-deprecated",\n    "message": "GET /pets: the operation is deprecated.",\n    "operation": "GET /pets",\n    "in": "new",\n    "pointer": "/paths/~1pets/get/deprecated",\n    "line": 8,\n    "column": 19\n  }\n]',
  },
];
