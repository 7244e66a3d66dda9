import { createRequire } from "node:module";
import { expect, test } from "vitest";
import type { Shape } from "../../../src/lib/config-files/shape.ts";
import { tsconfig } from "../../../src/lib/config-files/files/tsconfig.ts";

// config-validator knows the options of tsconfig.json; the compiler has the list. Its package is one of this folder's.
interface Option {
  name: string;
  type: string | ReadonlyMap<string, unknown>;
  isCommandLineOnly?: boolean;
  element?: Option;
}
const { optionDeclarations } = createRequire(import.meta.url)("typescript") as {
  optionDeclarations: Option[];
};

const alternatives = (shape: Shape): readonly Shape[] =>
  shape.kind === "either" ? shape.shapes.flatMap(alternatives) : [shape];

function fieldsOf(shape: Shape | undefined): ReadonlyMap<string, Shape> {
  const object = shape && alternatives(shape).find((one) => one.kind === "object");
  return object?.kind === "object" ? object.fields : new Map();
}

const options = fieldsOf(fieldsOf(tsconfig).get("compilerOptions"));
const kinds: Readonly<Record<string, readonly Shape["kind"][]>> = {
  boolean: ["flag"],
  string: ["text"],
  number: ["whole", "number"],
  object: ["map", "object"],
  list: ["list"],
  listOrElement: ["list"],
};

/** Options of the command line alone, which the list does not mark. */
const ofCommands = new Set(["all", "version", "init", "help", "project", "showConfig"]);

test.each(optionDeclarations.filter((one) => one.isCommandLineOnly !== true && !ofCommands.has(one.name)))(
  "$name is known, with its type and values",
  ({ name, type, element }) => {
    const shape = options.get(name);
    expect(shape).toBeDefined();
    const found = alternatives(shape as Shape);
    if (typeof type === "string") expect(found.some(({ kind }) => kinds[type]?.includes(kind))).toBe(true);
    else expect(lacking(found, type)).toEqual([]);
    const items = found.find((one) => one.kind === "list");
    if (element !== undefined && typeof element.type !== "string" && items?.kind === "list")
      expect(lacking([items.of], element.type)).toEqual([]);
  },
);

function lacking(shapes: readonly Shape[], values: ReadonlyMap<string, unknown>): string[] {
  const known = new Set(
    shapes.flatMap((one) =>
      one.kind === "choice" ? one.values.map((value) => String(value).toLowerCase()) : [],
    ),
  );
  return [...values.keys()].filter((value) => !known.has(value));
}

test("there are more than a hundred", () => {
  expect(optionDeclarations.length).toBeGreaterThan(100);
});
