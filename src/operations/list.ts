import { z } from "zod";
import type { Listing } from "../storage/storage.ts";

/** The answer of an operation that lists records; `damaged` has a sentence for each record that could not be read. */
export const listOf = <View extends z.ZodType>(view: View) =>
  z.strictObject({ items: z.array(view), damaged: z.array(z.string()).readonly().optional() });

export const toList = <Item, View>(
  { records, damaged }: Listing<Item>,
  toView: (record: Item) => View,
): { items: View[]; damaged?: readonly string[] } => ({
  items: records.map(toView),
  ...(damaged.length > 0 && { damaged }),
});
