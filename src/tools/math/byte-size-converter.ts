import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { byteUnits, formatByteSize, suitableUnit, parseByteSize } from "../../lib/byte-size.ts";
import { refusing } from "../refusing.ts";

/** Digits that represent any whole number of bytes exactly: one byte is 2^-80 YiB, which has 80 decimal digits. */
const exactly = 100;

export default defineTool({
  slug: "byte-size-converter",
  title: "Byte size converter",
  version: "1.2.0",
  summary: "Convert sizes between bytes and SI or IEC units, exactly.",
  page: {
    tile: "MB, MiB and bytes, exactly",
    layout: "line",
    view: "props",
    options: ["system", "precision"],
    labels: { data: "Size", system: "Units", "system=iec": "KiB, MiB", "system=si": "kB, MB" },
  },
  accepts: "a size such as 1.5 GiB",
  aliases:
    "bytes, kb, mb, gb, kib, mib, gib, bytes to mb, mb to gb, gib to gb, file size, human readable size, numfmt, data size converter, megabytes, gigabytes, storage units, kilobytes to bytes, pretty-bytes, filesize, bits to bytes, megabits",
  input: z.object({
    data: z
      .string()
      .max(4096)
      .describe(
        "The size: a number of bytes, or a number with a unit (B, kB, MiB, G, Mbit); 1,234,567 is read too; kb is kB, but Mb, which means megabits, and a lone m are refused",
      ),
    to: z
      .enum(["auto", ...byteUnits])
      .default("auto")
      .describe("Unit of the result; auto converts bytes to a suitable unit, and other units to bytes"),
    system: z
      .enum(["iec", "si"])
      .default("si")
      .describe("Meaning of kB: 1000 bytes in si, 1024 in iec; KiB is 1024 in both"),
    precision: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe(
        "Maximum number of decimal digits; defaults to 2 if auto selects a unit, and to all digits otherwise",
      ),
  }),
  examples: [
    { input: { data: "1.5GiB" }, result: "1610612736" },
    { title: "Human-readable bytes", input: { data: "123456789", system: "iec" }, result: "117.74 MiB" },
    {
      title: "The size of a disk on the label and on the screen",
      input: { data: "1TB", to: "GiB", precision: 1 },
      result: "931.3",
    },
  ],
  run: ({ data, to, system, precision }) => {
    const size = refusing(data, () => parseByteSize(data, system));
    if (to !== "auto") return formatByteSize(size, to, unitSystem(to, system), precision ?? exactly);
    if (size.named) return formatByteSize(size, "B", system, precision ?? exactly);
    const unit = suitableUnit(size, system, precision ?? 2);
    return `${formatByteSize(size, unit, system, precision ?? 2)} ${unit}`;
  },
});

/** Returns the system of a unit of the result, so that kB means the same in the data and in the result. */
const unitSystem = (unit: string, system: "iec" | "si"): "iec" | "si" =>
  unit.includes("i") ? "iec" : system;
