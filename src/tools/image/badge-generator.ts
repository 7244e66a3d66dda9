import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { drawBadge } from "../../lib/image/badge.ts";
import { findNotXml, isColor } from "../../lib/image/xml.ts";
import { color } from "../color.ts";
import { refuse } from "../refusing.ts";

export default defineTool({
  slug: "badge-generator",
  title: "Badge generator",
  summary: "Draw a badge for a README as SVG, without network access.",
  page: {
    tile: "SVG for a README",
    layout: "line",
    view: "image",
    options: ["label", "color", "style"],
    labels: { data: "Message", label: "Label", color: "Colour" },
  },
  accepts: "the message of the badge",
  aliases:
    "badge, shields.io, readme badge, svg badge, build status badge, coverage badge, badgen, version badge, license badge",
  input: z.object({
    data: z.string().max(256).describe("The message, on the right"),
    label: z.string().max(256).default("").describe("The label, on the left"),
    color: color("#4c1", "Background colour of the message"),
    labelColor: color("#555", "Background colour of the label"),
    style: z
      .enum(["flat", "flat-square"])
      .default("flat")
      .describe("Style: flat has round corners and shading, flat-square has neither"),
  }),
  examples: [
    {
      input: { data: "passing", label: "build" },
      result:
        '<svg xmlns="http://www.w3.org/2000/svg" width="89" height="20" role="img" aria-label="build: passing"><title>build: passing</title><clipPath id="r"><rect width="89" height="20" rx="3" fill="#fff"/></clipPath><g clip-path="url(#r)"><rect width="37" height="20" fill="#555"/><rect x="37" width="52" height="20" fill="#4c1"/><linearGradient id="s" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient><rect width="89" height="20" fill="url(#s)"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11"><text x="18.5" y="15" fill="#010101" fill-opacity=".3" textLength="27" aria-hidden="true">build</text><text x="18.5" y="14" textLength="27">build</text><text x="63" y="15" fill="#010101" fill-opacity=".3" textLength="42" aria-hidden="true">passing</text><text x="63" y="14" textLength="42">passing</text></g></svg>',
    },
    {
      title: "Escaped text, without a label, on another colour",
      input: { data: "<b> & co", color: "crimson", style: "flat-square" },
      result:
        '<svg xmlns="http://www.w3.org/2000/svg" width="63" height="20" role="img" aria-label="&#60;b&#62; &#38; co"><title>&#60;b&#62; &#38; co</title><clipPath id="r"><rect width="63" height="20" rx="0" fill="#fff"/></clipPath><g clip-path="url(#r)"><rect x="0" width="63" height="20" fill="crimson"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11"><text x="31.5" y="15" fill="#010101" fill-opacity=".3" textLength="53" aria-hidden="true">&#60;b&#62; &#38; co</text><text x="31.5" y="14" textLength="53">&#60;b&#62; &#38; co</text></g></svg>',
    },
  ],
  run({ data, label, color: fill, labelColor, style }) {
    for (const [name, value] of Object.entries({ color: fill, labelColor }))
      if (!isColor(value)) throw invalidField(name, "Must be a colour such as #4c1 or green.");
    if (findNotXml(label) >= 0) throw invalidField("label", "It has a character that XML does not have.");
    const fault = findNotXml(data);
    if (fault >= 0) throw refuse(data, { index: fault }, "This character is not allowed in XML.");
    return drawBadge({ label: oneLine(label), message: oneLine(data), color: fill, labelColor, style });
  },
});

/** Collapses white space as SVG does when it displays text, so that the computed width fits. */
const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, " ");
