import { readFileSync } from "node:fs";
import type { Plugin } from "rolldown";

/**
 * Makes a style sheet that a script imports its text: a part of the page then comes with its own sheet, which page/views/sheet.ts
 * adopts as a constructed one. The policy of the pages allows that, unlike a `<style>` element.
 */
export const sheetsAsText: Plugin = {
  name: "sheets-as-text",
  load: {
    filter: { id: /\.css$/ },
    handler: (id) => ({
      code: `export default ${JSON.stringify(withoutComments(readFileSync(id, "utf8")))}`,
      moduleType: "js",
    }),
  },
};

/** Returns a style sheet without comments and empty lines. */
export const withoutComments = (css: string): string =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\n\s*/g, "\n")
    .replaceAll(/\n+/g, "\n");
