import { expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { type Field, fieldsOf, inputSchemaOf } from "../../../src/catalog/fields.ts";
import { tools } from "../../../src/tools/index.ts";

interface Property {
  type?: string;
  enum?: string[];
  maxLength?: number;
  items?: Property;
  description?: string;
  default?: unknown;
}

/** The fields as the published schema describes them. */
function publishedFields(schema: { properties?: Record<string, Property>; required?: string[] }): object[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]): Omit<Field, "json"> => {
    const list = property.type === "array";
    const value = (list ? property.items : property) ?? {};
    return {
      name,
      type: (value.type ?? "string") as Field["type"],
      list,
      required: schema.required?.includes(name) === true,
      description: property.description ?? "",
      ...(value.enum !== undefined && { values: value.enum }),
      ...(value.maxLength !== undefined && { maxLength: value.maxLength }),
      ...(property.default !== undefined && { default: property.default }),
    };
  });
}

const all = await createCatalog(tools).all();

test.each(all.map((tool) => [tool.slug, tool] as const))(
  "the fields of %s are those of its published schema",
  (_slug, { input }) => {
    const fields = fieldsOf(input).map(({ json: _json, ...field }) => field);
    expect(fields).toEqual(publishedFields(inputSchemaOf(input)));
  },
);
