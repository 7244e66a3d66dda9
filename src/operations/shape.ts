import { z } from "zod";

/** A field of an input, for the surfaces that derive options and arguments from it. */
export interface Shape {
  type: "array" | "boolean" | "number" | "object" | "text";
  required: boolean;
  /** The name of the type in GraphQL, where it does not follow from the field (`fields.ts`). */
  graphql?: string;
  /** The bounds of a number. */
  min?: number;
  max?: number;
  /** The shape of the items of an array. */
  item?: Shape;
}

export function shapeOf(schema: z.core.$ZodType): Shape {
  if (schema instanceof z.ZodOptional) return { ...shapeOf(schema.unwrap()), required: false };
  const name = z.globalRegistry.get(schema)?.["graphql"];
  const named = { required: true, ...(typeof name === "string" && { graphql: name }) };
  if (schema instanceof z.ZodArray) return { ...named, type: "array", item: shapeOf(schema.element) };
  if (schema instanceof z.ZodBoolean) return { ...named, type: "boolean" };
  if (schema instanceof z.ZodNumber) return { ...named, type: "number", ...boundsOf(schema) };
  return { ...named, type: schema instanceof z.ZodObject ? "object" : "text" };
}

/** Leaves out the safe bounds that zod gives every integer. */
function boundsOf({ minValue, maxValue }: z.ZodNumber): Pick<Shape, "min" | "max"> {
  return {
    ...(minValue !== null && minValue > Number.MIN_SAFE_INTEGER && { min: minValue }),
    ...(maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER && { max: maxValue }),
  };
}
