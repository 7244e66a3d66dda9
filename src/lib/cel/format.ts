import type * as Cel from "@bufbuild/cel";

interface FormatNeeds {
  library: typeof Cel;
  /** Counts a text that a function made, and returns it. */
  text(value: string): string;
}

/** Most digits after the point that a verb may ask for. */
const maxPrecision = 100;

/** A verb with its precision, two signs for one, or a sign that begins neither. */
const verb = /%(?:(%)|(?:\.(\d+))?([a-zA-Z]))?/g;

/** A message of Protocol Buffers as the library holds it: only timestamps and durations occur. */
interface Time {
  desc: { typeName: string };
  message: { seconds: bigint; nanos: number };
}

/**
 * Returns `format` and `strings.quote` of the extension `strings`. The library's own count nothing of what they make: a format may name a
 * whole document thousands of times.
 */
export function createFormatFunctions({ library, text }: FormatNeeds): Cel.CelFunc[] {
  const { celFunc, celMethod, isCelList, isCelMap, isCelType, isCelUint, listType, CelScalar } = library;
  const { STRING, DYN } = CelScalar;

  const integerOf = (value: unknown): bigint | undefined =>
    typeof value === "bigint" ? value : isCelUint(value) ? value.value : undefined;

  /** `%s`. Recursive: the depth of documents and expressions has a limit. */
  function show(value: unknown): string {
    const integer = integerOf(value);
    if (integer !== undefined) return text(String(integer));
    if (typeof value === "string") return text(value);
    if (typeof value === "number" || typeof value === "boolean" || value === null) return text(String(value));
    if (value instanceof Uint8Array) return text(new TextDecoder().decode(value));
    if (isCelType(value)) return text(value.name);
    if (isCelList(value)) return text(`[${Array.from(value, show).join(", ")}]`);
    if (isCelMap(value)) {
      const entries = Array.from(value, ([key, item]): [string, string] => [show(key), show(item)]);
      const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      return text(`{${sorted.map((entry) => entry.join(": ")).join(", ")}}`);
    }
    const { desc, message } = value as Partial<Time>;
    if (message !== undefined && desc?.typeName === "google.protobuf.Timestamp")
      return showTimestamp(message);
    if (message !== undefined && desc?.typeName === "google.protobuf.Duration") return showDuration(message);
    throw new Error("format cannot write this value");
  }

  function write(letter: string, value: unknown, precision: number): string {
    if (letter === "s") return show(value);
    const isNumber = typeof value === "number";
    // Doubles that are no numbers have one notation.
    if (isNumber && !Number.isFinite(value) && /[def]/.test(letter)) return String(value);
    const integer = integerOf(value);
    if (letter === "f" && isNumber) return fixed(value, precision);
    if (letter === "e" && isNumber)
      return value.toExponential(precision).replace(/e([+-])(\d)$/, (_, sign, digit) => `e${sign}0${digit}`);
    if (letter === "d" && integer !== undefined) return String(integer);
    if (letter === "o" && integer !== undefined) return integer.toString(8);
    if (letter === "b" && (integer !== undefined || typeof value === "boolean"))
      return typeof value === "boolean" ? String(Number(value)) : (integer as bigint).toString(2);
    if (letter === "x" || letter === "X") {
      const hex = toHex(integer, value);
      if (hex !== undefined) return letter === "X" ? hex.toUpperCase() : hex;
    }
    throw new Error(
      verbs.includes(letter)
        ? `%${letter} of format does not take this value`
        : `%${letter} is no verb of format; there are %s, %d, %f, %e, %b, %o, %x and %X`,
    );
  }

  function toHex(integer: bigint | undefined, value: unknown): string | undefined {
    if (integer !== undefined) return integer.toString(16);
    if (typeof value !== "string" && !(value instanceof Uint8Array)) return undefined;
    return Buffer.from(value as string).toString("hex");
  }

  function format(pattern: string, values: Cel.CelList): string {
    let next = 0;
    const result = pattern.replaceAll(
      verb,
      (whole, escaped?: string, precision?: string, letter?: string) => {
        if (escaped !== undefined) return "%";
        if (letter === undefined) throw new Error(`a % of format is followed by a verb, or written as %%`);
        if (Number(precision ?? 0) > maxPrecision)
          throw new Error(`${whole} has more than ${maxPrecision} digits, the limit`);
        if (next >= values.size) throw new Error("format has more verbs than values");
        return text(write(letter, values.get(next++), Number(precision ?? 6)));
      },
    );
    if (next < values.size) throw new Error("format has more values than verbs");
    return text(result);
  }

  return [
    celMethod("format", STRING, [listType(DYN)], STRING, function (values) {
      return format(this, values);
    }),
    celFunc("strings.quote", [STRING], STRING, (value) =>
      text(`"${Array.from(value, (point) => escapes[point] ?? point).join("")}"`),
    ),
  ];
}

const verbs = "sdfeboxX";

const escapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/** Halves go to the even neighbour, unlike those of `toFixed`. */
function fixed(value: number, digits: number): string {
  const options = {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    roundingMode: "halfEven",
    useGrouping: false,
  };
  return new Intl.NumberFormat("en-US", options as Intl.NumberFormatOptions).format(value);
}

/** The decimals of nanoseconds, without zeros at the end in groups of three (ProtoJSON). */
function decimalsOf(nanos: number): string {
  if (nanos === 0) return "";
  return `.${String(Math.abs(nanos))
    .padStart(9, "0")
    .replace(/(?:000)+$/, "")}`;
}

function showTimestamp({ seconds, nanos }: Time["message"]): string {
  const instant = new Date(Number(seconds) * 1000).toISOString();
  return `${instant.slice(0, -5)}${decimalsOf(nanos)}Z`;
}

function showDuration({ seconds, nanos }: Time["message"]): string {
  const sign = seconds < 0n || nanos < 0 ? "-" : "";
  return `${sign}${seconds < 0n ? -seconds : seconds}${decimalsOf(nanos)}s`;
}
