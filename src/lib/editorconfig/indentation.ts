import type { Properties } from "./properties.ts";

export interface Indentation {
  style: "space" | "tab";
  /** Columns of a level; undefined if they are not set. */
  size: number | undefined;
  /** Columns of a tab. */
  width: number;
  /** Whether the settings give the columns of a tab. */
  hasWidth: boolean;
}

/** The columns of a tab where nothing says otherwise, as terminals have it. */
const usualWidth = 8;

/** Returns the settings of indentation; undefined if there is no style. */
export function readIndentation(properties: Properties): Indentation | undefined {
  const style = properties.get("indent_style");
  if (style !== "space" && style !== "tab") return undefined;
  const width = toColumns(properties.get("tab_width"));
  return {
    style,
    size: toColumns(properties.get("indent_size")),
    width: width ?? usualWidth,
    hasWidth: width !== undefined,
  };
}

function toColumns(value: string | undefined): number | undefined {
  const columns = /^\d{1,3}$/.test(value ?? "") ? Number(value) : 0;
  return columns > 0 ? columns : undefined;
}
