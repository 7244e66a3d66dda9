import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { byteUnits, formatByteSize, suitableUnit, parseByteSize } from "../../lib/byte-size.ts";
import { refusing } from "../refusing.ts";

/** Enough for one byte in YiB: 2^80 divides 10^80. */
const exactly = 100;

export default defineTool({
  slug: "byte-size-converter",
  title: "Byte size converter",
  version: "1.1.0",
  summary: "Convert sizes with units to bytes and back, exactly, SI and IEC units told apart.",
  input: z.object({
    data: z
      .string()
      .max(4096)
      .describe(
        "The size: bytes, or a number with a unit (B, kB, MiB, G, Mbit); kb is kB, but Mb, which is megabits, is refused",
      ),
    to: z
      .enum(["auto", ...byteUnits])
      .default("auto")
      .describe(
        "The unit of the result; auto writes bytes with the unit that suits, and everything else in bytes",
      ),
    system: z
      .enum(["iec", "si"])
      .default("si")
      .describe("si: kB is 1000 bytes; iec: it is 1024, as it is for KiB in both"),
    precision: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe(
        "Digits after the point at most; 2 where auto picks a unit and as many as there are otherwise",
      ),
  }),
  examples: [
    { input: { data: "1.5GiB" }, result: "1610612736" },
    { title: "Bytes for people", input: { data: "123456789", system: "iec" }, result: "117.74 MiB" },
    {
      title: "A disk as it is sold and as it is shown",
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

/** kB in the result is what kB was in the data. */
const unitSystem = (unit: string, system: "iec" | "si"): "iec" | "si" =>
  unit.includes("i") ? "iec" : system;
