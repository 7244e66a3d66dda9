import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { createQr, toSvg, toTerminal } from "../../lib/image/qr.ts";
import { isColor } from "../../lib/image/xml.ts";
import { dataEncoding, toBytes } from "../bytes.ts";
import { color } from "../color.ts";

const input = z.object({
  data: z
    .string()
    .describe("Content of the QR code, at most 2,953 bytes; higher error correction levels hold less"),
  dataEncoding,
  format: z
    .enum(["svg", "terminal", "data-uri"])
    .default("svg")
    .describe(
      "Output format: svg, terminal (block characters for a dark terminal) or data-uri (the SVG as a data URI)",
    ),
  ecc: z
    .enum(["L", "M", "Q", "H"])
    .default("M")
    .describe(
      "Error correction level, which restores about 7 (L), 15 (M), 25 (Q) or 30 (H) percent of the code",
    ),
  margin: z
    .int()
    .min(0)
    .max(40)
    .default(4)
    .describe("Width of the quiet zone in modules; ISO/IEC 18004 requires 4"),
  dark: color("#000", "Colour of the dark modules, for svg and data-uri"),
  light: color("#fff", "Colour of the light modules, for svg and data-uri"),
});

export default defineTool({
  slug: "qr-code-generator",
  title: "QR code generator",
  summary: "Draw text or bytes as a QR code: SVG, data URI or blocks for a terminal.",
  page: {
    tile: "SVG, PNG or for a terminal",
    view: "image",
    options: ["ecc", "margin", "dark", "light"],
    labels: { data: "Text or URL", ecc: "Correction", margin: "Margin", dark: "Colour", light: "Background" },
  },
  accepts: "text or bytes",
  aliases:
    "qr, qrcode, qr code, qrencode, wifi qr, wifi qr code, barcode, 2d barcode, link to qr, vcard qr, otpauth qr, terminal qr",
  input,
  isolate: "thread",
  examples: [
    {
      input: { data: "HTTPS://EXAMPLE.COM", format: "terminal", margin: 2 },
      result:
        "█████████████████████████\n██ ▄▄▄▄▄ ██ █▄▀█ ▄▄▄▄▄ ██\n██ █   █ █ █▄▀██ █   █ ██\n██ █▄▄▄█ █ ▄ █ █ █▄▄▄█ ██\n██▄▄▄▄▄▄▄█ █▄█ █▄▄▄▄▄▄▄██\n██▄▀  ▄ ▄█▀ ▀█ █ ▄ ▄▄█▀██\n██ █▄█▀▀▄▀ ▀ ▀▀▄▄▄▀▀▀▀▄██\n██▄▄██▄▄▄▄ ▀▀▄ ▄███▀▀▀▀██\n██ ▄▄▄▄▄ █▀█  ▄ ▀    ▀▄██\n██ █   █ █ ▀ █▄█ ▄█▀ █▄██\n██ █▄▄▄█ █▄▄▄█  ██▄█▀█▀██\n██▄▄▄▄▄▄▄█▄███▄▄██▄▄█████\n▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀",
    },
    {
      title: "Binary data, as SVG without a margin",
      input: { data: "00ff", dataEncoding: "hex", ecc: "L", margin: 0, dark: "navy" },
      result:
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 21 21" width="168" height="168" shape-rendering="crispEdges"><rect width="21" height="21" fill="#fff"/><path d="M0 0h7v1h-7zM10 0h1v1h-1zM12 0h1v1h-1zM14 0h7v1h-7zM0 1h1v1h-1zM6 1h1v1h-1zM12 1h1v1h-1zM14 1h1v1h-1zM20 1h1v1h-1zM0 2h1v1h-1zM2 2h3v1h-3zM6 2h1v1h-1zM8 2h1v1h-1zM10 2h1v1h-1zM14 2h1v1h-1zM16 2h3v1h-3zM20 2h1v1h-1zM0 3h1v1h-1zM2 3h3v1h-3zM6 3h1v1h-1zM12 3h1v1h-1zM14 3h1v1h-1zM16 3h3v1h-3zM20 3h1v1h-1zM0 4h1v1h-1zM2 4h3v1h-3zM6 4h1v1h-1zM9 4h1v1h-1zM11 4h2v1h-2zM14 4h1v1h-1zM16 4h3v1h-3zM20 4h1v1h-1zM0 5h1v1h-1zM6 5h1v1h-1zM9 5h3v1h-3zM14 5h1v1h-1zM20 5h1v1h-1zM0 6h7v1h-7zM8 6h1v1h-1zM10 6h1v1h-1zM12 6h1v1h-1zM14 6h7v1h-7zM8 7h1v1h-1zM10 7h1v1h-1zM0 8h3v1h-3zM4 8h5v1h-5zM10 8h1v1h-1zM12 8h3v1h-3zM18 8h1v1h-1zM0 9h1v1h-1zM2 9h2v1h-2zM7 9h1v1h-1zM9 9h1v1h-1zM11 9h1v1h-1zM13 9h1v1h-1zM15 9h1v1h-1zM18 9h1v1h-1zM20 9h1v1h-1zM2 10h1v1h-1zM5 10h2v1h-2zM8 10h1v1h-1zM11 10h1v1h-1zM13 10h3v1h-3zM17 10h1v1h-1zM19 10h1v1h-1zM1 11h2v1h-2zM4 11h1v1h-1zM8 11h1v1h-1zM11 11h3v1h-3zM15 11h3v1h-3zM19 11h1v1h-1zM0 12h2v1h-2zM5 12h3v1h-3zM9 12h1v1h-1zM11 12h1v1h-1zM13 12h3v1h-3zM18 12h1v1h-1zM20 12h1v1h-1zM8 13h1v1h-1zM14 13h1v1h-1zM18 13h2v1h-2zM0 14h7v1h-7zM8 14h3v1h-3zM12 14h1v1h-1zM16 14h1v1h-1zM20 14h1v1h-1zM0 15h1v1h-1zM6 15h1v1h-1zM8 15h2v1h-2zM14 15h1v1h-1zM18 15h3v1h-3zM0 16h1v1h-1zM2 16h3v1h-3zM6 16h1v1h-1zM8 16h1v1h-1zM10 16h1v1h-1zM12 16h1v1h-1zM14 16h1v1h-1zM16 16h1v1h-1zM18 16h1v1h-1zM20 16h1v1h-1zM0 17h1v1h-1zM2 17h3v1h-3zM6 17h1v1h-1zM9 17h1v1h-1zM11 17h1v1h-1zM13 17h1v1h-1zM15 17h1v1h-1zM17 17h1v1h-1zM19 17h1v1h-1zM0 18h1v1h-1zM2 18h3v1h-3zM6 18h1v1h-1zM8 18h4v1h-4zM13 18h3v1h-3zM17 18h2v1h-2zM20 18h1v1h-1zM0 19h1v1h-1zM6 19h1v1h-1zM8 19h1v1h-1zM11 19h3v1h-3zM15 19h3v1h-3zM19 19h1v1h-1zM0 20h7v1h-7zM8 20h4v1h-4zM13 20h3v1h-3zM17 20h4v1h-4z" fill="navy"/></svg>',
    },
  ],
  run: ({ data, ...options }) => draw(data, options),
  runBytes: draw,
});

async function draw(
  data: string | Uint8Array,
  options: Omit<z.output<typeof input>, "data">,
): Promise<string> {
  const { format, ecc, margin, dark, light } = options;
  for (const [name, value] of Object.entries({ dark, light }))
    if (!isColor(value)) throw invalidField(name, "Must be a colour such as #000 or navy.");
  const bytes = toBytes(data, options.dataEncoding);
  const modules = bytes.length > 7089 ? undefined : await createQr(bytes, ecc);
  if (modules === undefined)
    throw new ToolError("invalid_document", `data is too long for a QR code with error correction ${ecc}.`);
  if (format === "terminal") return toTerminal(modules, margin);
  const svg = toSvg(modules, margin, dark, light);
  return format === "svg" ? svg : `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
