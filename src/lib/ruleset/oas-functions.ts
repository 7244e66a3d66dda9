import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import { valueAt } from "../data/at-pointer.ts";
import { functions, type Maker, type Result } from "./functions.ts";

const dictionary = (value: Value | undefined): Dictionary =>
  isDictionary(value ?? null) ? (value as Dictionary) : new Map();
const list = (value: Value | undefined): Value[] => (isList(value ?? null) ? (value as Value[]) : []);

const maker =
  (check: (value: Dictionary, root: Value) => Result[]): Maker =>
  () =>
  (value, { root }) =>
    isDictionary(value ?? null) ? check(value as Dictionary, root) : [];

const sections = [
  "schemas",
  "responses",
  "parameters",
  "examples",
  "requestBodies",
  "headers",
  "links",
  "callbacks",
];

/** Functions of the rules that `spectral:oas` stands for; a ruleset cannot name them. */
export const oasFunctions: Readonly<Record<string, Maker>> = {
  oasRefSiblings: maker((value) =>
    typeof value.get("$ref") === "string"
      ? [...value.keys()]
          .filter((key) => key !== "$ref")
          .map((key) => ({ message: "must not be placed next to $ref", path: [key] }))
      : [],
  ),
  oasUnusedComponents: (_, deps) => {
    const checks = sections.map((section) => {
      const location = `#/components/${section}`;
      return [
        section,
        functions["unreferencedReusableObject"]?.(new Map([["reusableObjectsLocation", location]]), deps),
      ] as const;
    });
    return (value, context) =>
      checks.flatMap(([section, check]) =>
        (check?.(dictionary(value).get(section), context) ?? []).map(({ message, path = [] }) => ({
          message,
          path: [section, ...path],
        })),
      );
  },
  oasSuccessResponse: maker((value) =>
    [...value.keys()].some((status) => /^[23](?:\d\d|XX)$/i.test(status))
      ? []
      : [{ message: "must have a response 2xx or 3xx" }],
  ),
  oasTagDefined: maker((value, root) => {
    const names = new Set(list(valueAt(root, ["tags"])).map((tag) => dictionary(tag).get("name")));
    return list(value.get("tags")).flatMap((tag, at) =>
      typeof tag === "string" && !names.has(tag)
        ? [
            {
              message: `${JSON.stringify(tag.slice(0, 80))} must be among the tags of the document`,
              path: ["tags", String(at)],
            },
          ]
        : [],
    );
  }),
  oasDiscriminator: maker((value) => {
    const name = value.get("discriminator");
    if (typeof name !== "string") return [];
    return [
      ...(dictionary(value.get("properties")).has(name)
        ? []
        : [{ message: "the object must define the discriminator property", path: ["properties"] }]),
      ...(list(value.get("required")).includes(name)
        ? []
        : [{ message: "the discriminator property must be required", path: ["required"] }]),
    ];
  }),
  oasFormDataConsumes: maker((value, root) => {
    const hasForm = list(value.get("parameters")).some((one) => dictionary(one).get("in") === "formData");
    const consumes = list(value.get("consumes") ?? valueAt(root, ["consumes"]));
    const fits = consumes.some(
      (type) =>
        typeof type === "string" &&
        /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type),
    );
    return hasForm && !fits && consumes.length > 0
      ? [{ message: "must consume application/x-www-form-urlencoded or multipart/form-data" }]
      : [];
  }),
  oasServerVariables: maker((value) => {
    const url = value.get("url");
    if (typeof url !== "string") return [];
    return [...dictionary(value.get("variables")).keys()].flatMap((name) =>
      url.includes(`{${name}}`)
        ? []
        : [
            {
              message: `the variable ${JSON.stringify(name.slice(0, 80))} is not used in the URL`,
              path: ["variables", name],
            },
          ],
    );
  }),
};
