import { readFileSync } from "node:fs";
import {
  buildClientSchema,
  buildSchema,
  execute,
  getIntrospectionQuery,
  graphqlSync,
  parse,
  printSchema,
  printType,
} from "graphql";
import { describe, expect, test } from "vitest";
import { type CatalogTool, createCatalog } from "../../../../src/catalog/catalog.ts";
import type { Part } from "../../../../src/surfaces/graphql/schema/part.ts";
import { loadOperations } from "../../../../src/operations/index.ts";
import { createParts } from "../../../../src/surfaces/graphql/schema/parts.ts";
import { assemble, createSchema } from "../../../../src/surfaces/graphql/schema/schema.ts";
import { penknife } from "../../cli/host.ts";
import { catalog } from "../../../unit/surfaces/graphql/tools-context.ts";

const kept = readFileSync(new URL("../../../../docs/schema.graphql", import.meta.url), "utf8");
const { schema, sdl } = await createSchema(catalog);

describe("docs/schema.graphql", () => {
  test("is the schema that runs, and the one that the command prints", async () => {
    const how = "docs/schema.graphql is out of date: run make docs";
    expect(sdl === kept, how).toBe(true);
    const { status, stdout } = await penknife(["tools", "--graphql"]);
    expect([status, stdout === kept]).toEqual([0, true]);
  });

  test("is the schema that introspection returns", () => {
    const { data, errors } = graphqlSync({ schema, source: getIntrospectionQuery({ specifiedByUrl: true }) });
    expect(errors).toBeUndefined();
    const client = buildClientSchema(data as unknown as Parameters<typeof buildClientSchema>[0]);
    // Introspection has the order of the parts, the file that of the alphabet.
    expect(printSchema(client)).toBe(printSchema(schema));
    expect(printSchema(buildSchema(kept))).toBe(kept.trimEnd());
  });

  test("describes every type, field and argument", () => {
    const bare = Object.values(schema.getTypeMap()).flatMap((type) => {
      if (type.name.startsWith("__")) return [];
      const fields = "getFields" in type ? Object.values(type.getFields()) : [];
      return [
        ...(type.description ? [] : [type.name]),
        // A field with a self-explanatory name.
        ...fields
          .filter(({ name, description }) => !description && !plain.has(name))
          .map(({ name }) => `${type.name}.${name}`),
      ];
    });
    expect(bare).toEqual([]);
  });

  const plain = new Set(
    "id name title category version nodes pageInfo examples tool input result errors message severity".split(
      " ",
    ),
  );

  test("--graphql cannot be combined with a tool or another format", async () => {
    for (const more of ["--json", "--markdown", "json-formatter"]) {
      const refused = await penknife(["tools", "--graphql", more]);
      expect(refused).toMatchObject({ status: 2, stdout: "" });
    }
  });
});

test("the parts can be combined, beside pipelines of any name too", async () => {
  const tools = await catalog.all();
  const parts = createParts(tools, await loadOperations());
  expect(printSchema(assemble(parts))).toBe(printSchema(schema));
  const names = parts.flatMap(({ typeDefs }) =>
    [...typeDefs.matchAll(/^(?:enum|input|type) (\w+)/gm)].map(([, name]) => name as string),
  );
  const [sample] = tools as [CatalogTool];
  const slugs = [
    ...new Set(
      names.map((name) =>
        name
          .replace(/Input$/, "")
          .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-")
          .toLowerCase(),
      ),
    ),
  ];
  const others = slugs.filter((slug) => !catalog.has(slug)).map((slug): CatalogTool => ({ ...sample, slug }));
  const whole = assemble(createParts([...tools, ...others], await loadOperations()));
  for (const [name, type] of Object.entries(schema.getTypeMap())) {
    if (name !== "ToolRunner") expect(printType(whole.getType(name)!)).toBe(printType(type));
  }
});

describe("a schema of parts", () => {
  const part = (typeDefs: string, more: Partial<Part> = {}): Part => ({ typeDefs, resolvers: {}, ...more });
  const asking = part("extend type Query { color: Color } enum Color { DARK_RED DARK_BLUE }");

  test("has the roots that are extended, and their resolvers", async () => {
    const own = assemble([
      {
        ...asking,
        enums: { Color: ["dark-red", "dark.blue"] },
        resolvers: { Query: { color: () => "dark.blue" } },
      },
      part("extend type Subscription { a: Int }", {
        resolvers: {
          Subscription: {
            a: {
              subscribe: async function* () {
                yield 1;
              },
              resolve: (value) => value,
            },
          },
        },
      }),
    ]);
    expect(own.getMutationType()).toBeUndefined();
    expect(own.getSubscriptionType()?.getFields()["a"]?.subscribe).toBeTypeOf("function");
    expect(await execute({ schema: own, document: parse("{ color }"), contextValue: {} })).toEqual({
      data: { color: "DARK_BLUE" },
    });
  });

  test.each([
    ["a type", { resolvers: { Colour: {} } }, "There is no type Colour"],
    ["a field", { resolvers: { Query: { colour: () => 1 } } }, "Query has no field colour"],
    ["an enum", { enums: { Query: [] } }, "There is no enum Query"],
    ["a value that is not listed", { enums: { Color: ["dark-red"] } }, "Color.DARK_BLUE has no value"],
    [
      "a value that is listed only",
      { enums: { Color: ["dark-red", "dark-blue", "red"] } },
      "Color lacks RED",
    ],
  ])("refuses a reference to %s that does not exist", (_, more, message) => {
    expect(() => assemble([{ ...asking, ...more }])).toThrow(message);
  });

  test("refuses two of one name", () => {
    expect(() => assemble([asking, part("enum Color { RED }")])).toThrow("Color");
    expect(() => assemble([asking, part("extend type Query { color: Int }")])).toThrow("color");
  });

  test("works without a tool", async () => {
    const none = await createSchema(createCatalog({}));
    expect(none.sdl).not.toContain("ToolRunner");
    expect(none.sdl).toContain("tools(");
  });
});
