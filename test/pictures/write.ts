import { mkdirSync, writeFileSync } from "node:fs";
import { makePictures } from "./pictures.ts";

// `make pictures`: writes docs/pictures/<name>.svg. Needs dist/penknife and Chromium.
const folder = new URL("../../docs/pictures/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, svg] of await makePictures()) writeFileSync(new URL(`${name}.svg`, folder), svg);
