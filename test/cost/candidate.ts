import type { CatalogTool } from "../../src/catalog/catalog.ts";
import { type Call, sizeOf } from "../../src/catalog/execute.ts";
import { type Field, fieldsOf, inputSchemaOf, jsonFieldsOf } from "../../src/catalog/fields.ts";
import { plain, type Recipe, render, wraps } from "./recipe.ts";
import { type Draw, drawRecipe, type Seeds, seedsOf } from "./seeds.ts";
import { inlineBytes } from "./measure.ts";

/** A field of a candidate: a text, a list of texts (the lines of a recipe), or a value. */
export type Part = { recipe: Recipe; share: number; items?: string } | { value: unknown };

const forms = ["json", "values", "raw", "input"] as const;

/** An input of a tool. */
export interface Candidate {
  /** Largest size of the body, in bytes. */
  bytes: number;
  /**
   * The form of the call: JSON, JSON with values instead of texts that are JSON, raw text with options in the query, or
   * as values, from GraphQL.
   */
  form: (typeof forms)[number];
  check: boolean;
  parts: Record<string, Part>;
}

export interface Space {
  tool: CatalogTool;
  fields: readonly (Field & {
    seeds: Seeds;
    min?: number;
    max?: number;
    maxItems?: number;
    minLength?: number;
  })[];
}

export function spaceOf(tool: CatalogTool): Space {
  const { properties = {} } = inputSchemaOf(tool.input) as {
    properties?: Record<string, Record<string, never>>;
  };
  const fields = fieldsOf(tool.input).map((field) => {
    const { minimum: min, maximum: max, maxItems } = properties[field.name] ?? {};
    return {
      ...field,
      seeds: seedsOf(tool, field),
      ...(min !== undefined && { min, max }),
      ...(maxItems !== undefined && { maxItems }),
    };
  });
  return { tool, fields };
}

export function drawCandidate({ tool, fields }: Space, draw: Draw): Candidate {
  const example = draw.of(tool.examples).input;
  const parts: Record<string, Part> = {};
  for (const field of fields) {
    const given = example[field.name];
    const drawn =
      field.name === "data" ? draw.chance(0.9) : field.required ? draw.chance(0.4) : draw.chance(0.25);
    if (drawn) parts[field.name] = drawPart(field, draw);
    else if (given !== undefined) parts[field.name] = { value: given };
  }
  return {
    bytes: inlineBytes,
    form: draw.of(forms),
    check: tool.check !== undefined && draw.chance(0.1),
    parts,
  };
}

function drawPart(field: Space["fields"][number], draw: Draw): Part {
  if (field.values !== undefined && !field.list) return { value: draw.of(field.values) };
  switch (field.type) {
    case "boolean":
      return { value: draw.chance(0.5) };
    case "integer":
    case "number": {
      const { min = 0, max = 100 } = field;
      return { value: draw.of([max, max, min, min + draw.below(max - min + 1)]) };
    }
    case "string": {
      const share = draw.of([0.02, 0.5, 1, 1]);
      const recipe = drawRecipe(field.seeds, draw);
      return field.list ? { recipe, share, items: draw.of(["\n", ",", " ", ""]) } : { recipe, share };
    }
  }
}

/** Returns a variation: with another part, or with a part changed. */
export function mutate(candidate: Candidate, space: Space, draw: Draw): Candidate {
  const parts = { ...candidate.parts };
  const field = draw.of(space.fields.length > 0 ? space.fields : [undefined]);
  if (field === undefined || draw.chance(0.05)) return { ...candidate, form: draw.of(forms) };
  if (draw.chance(0.1)) {
    const bytes = Math.floor(candidate.bytes * (0.4 + draw.below(100) / 100));
    return { ...candidate, bytes: Math.min(inlineBytes, Math.max(256, bytes)) };
  }
  const part = parts[field.name];
  if (part === undefined || !("recipe" in part) || draw.chance(0.15)) {
    if (part !== undefined && !field.required && draw.chance(0.2)) delete parts[field.name];
    else parts[field.name] = drawPart(field, draw);
  } else parts[field.name] = { ...part, ...mutatePart(part, field, draw) };
  return { ...candidate, parts };
}

function mutatePart(
  part: Extract<Part, { recipe: Recipe }>,
  { seeds }: Space["fields"][number],
  draw: Draw,
): Partial<Part> {
  const { recipe } = part;
  const token = (): string => draw.of(seeds.tokens);
  const place = draw.of(["head", "unit", "unit", "unit", "core", "close", "tail"] as const);
  const text = recipe[place];
  const at = draw.below(text.length + 1);
  switch (draw.below(10)) {
    case 0:
      return { share: draw.of([0.02, 0.25, 0.5, 0.75, 1]) };
    case 1:
      return { recipe: { ...recipe, wrap: draw.of(wraps) } };
    case 2:
      return { recipe: drawRecipe(seeds, draw) };
    case 3: {
      const other = drawRecipe(seeds, draw);
      return { recipe: { ...recipe, [place]: other[place] } };
    }
    case 4:
      return { recipe: { ...recipe, [place]: text.slice(0, at) + text.slice(at + 1 + draw.below(3)) } };
    case 5:
      // Repeats the whole as a unit.
      return { recipe: plain(render(recipe, 30 + draw.below(300)) + token(), { wrap: recipe.wrap }) };
    case 6:
      return { recipe: { ...recipe, [place]: (text + text).slice(0, 2000) } };
    default:
      return { recipe: { ...recipe, [place]: text.slice(0, at) + token() + text.slice(at) } };
  }
}

/** Builds the call of a candidate. */
export function toCall({ tool, fields }: Space, { bytes, form, check, parts }: Candidate): Call {
  let room = bytes;
  for (let attempt = 0; ; attempt++) {
    const input = toInput(fields, parts, room);
    const call = toBody(tool, form, input, check);
    const size = sizeOfCall(call);
    if (size <= bytes || attempt === 8) return call;
    room = Math.floor((room * bytes) / size) - 8;
    if (room < 16) return call;
  }
}

const sizeOfCall = ({ body }: Call): number =>
  body.kind === "raw"
    ? Math.max(body.bytes.length, JSON.stringify(body.options).length * (inlineBytes / 12_000))
    : sizeOf(body);

function toInput(fields: Space["fields"], parts: Candidate["parts"], room: number): Record<string, unknown> {
  const shares = Object.values(parts).reduce((sum, part) => sum + ("recipe" in part ? part.share : 0), 0);
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const part = parts[field.name];
    if (part === undefined) continue;
    if ("value" in part) {
      input[field.name] = part.value;
      continue;
    }
    const size = Math.floor((room * part.share) / Math.max(1, shares));
    const { items } = part;
    if (items === undefined)
      input[field.name] = render(part.recipe, Math.min(size, field.maxLength ?? Infinity));
    else {
      const list = items === "" ? [render(part.recipe, size)] : render(part.recipe, size).split(items);
      input[field.name] = list
        .slice(0, field.maxItems)
        .map((item) => (field.values === undefined ? item.slice(0, field.maxLength) : item));
    }
  }
  return input;
}

function toBody(
  tool: CatalogTool,
  form: Candidate["form"],
  input: Record<string, unknown>,
  check: boolean,
): Call {
  const call = { slug: tool.slug, form: "json" as const, check };
  if (form === "input") return { ...call, body: { kind: "input", input } };
  if (form === "raw" && typeof input.data === "string") {
    const { data, ...options } = input;
    return { ...call, body: { kind: "raw", bytes: Buffer.from(data), text: true, options } };
  }
  const members = Object.entries(input).map(([name, value]) => {
    const text = form === "values" && jsonFieldsOf(tool.input).has(name) ? toJsonText(value) : undefined;
    return `${JSON.stringify(name)}:${text ?? JSON.stringify(value)}`;
  });
  return { ...call, body: { kind: "json", bytes: Buffer.from(`{${members.join(",")}}`) } };
}

/** Returns the text itself if it is JSON. It is not serialised again, because it may be nested deeper than the stack. */
function toJsonText(value: unknown): string | undefined {
  try {
    JSON.parse(String(value));
    return String(value);
  } catch {
    return undefined;
  }
}
