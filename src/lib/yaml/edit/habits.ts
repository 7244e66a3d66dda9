import type { YamlLayout } from "./layout.ts";
import type { YamlSource } from "./source.ts";

/** Finds out how most of the lists and braces of a stream are written; lists are indented and braces tight if there are none. */
export function habitsOf({ pieces }: YamlSource): Pick<YamlLayout, "sequences" | "bracketSpacing"> {
  let flush = 0;
  let spaced = 0;
  for (const [index, { type, level, lines, column, to }] of pieces.entries()) {
    const { parent } = level;
    if (level.kind === "seq" && level.first === index && parent?.kind === "map" && lines > 0) {
      const key = pieces[parent.first]?.column ?? 0;
      flush += column > key ? -1 : 1;
    }
    const next = pieces[index + 1];
    if (type === "flow-map-start" && next?.lines === 0 && next.type !== "flow-map-end")
      spaced += next.from > to ? 1 : -1;
  }
  return { sequences: flush > 0 ? "flush" : "indented", bracketSpacing: spaced > 0 };
}
