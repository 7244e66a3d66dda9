export interface Base64Layout {
  variant: "standard" | "url";
  padding: boolean;
  /** Characters per line, a multiple of 4; 0 is one line. */
  lineLength: number;
}

/** Encodes by RFC 4648 §4 or §5. Lines are joined by LF, without a final one. */
export function encodeBase64(data: Uint8Array, layout: Base64Layout): string {
  if (layout.lineLength > 0) return toLatin1(encodeBase64Bytes(data, layout));
  return data.toBase64(toOptions(layout));
}

/** Like `encodeBase64`, but returns ASCII bytes, because the result may be longer than the longest string. */
export function encodeBase64Bytes(data: Uint8Array, layout: Base64Layout): Uint8Array {
  const { lineLength, padding } = layout;
  const rest = data.length % 3;
  const characters = Math.floor(data.length / 3) * 4 + (rest === 0 ? 0 : padding ? 4 : rest + 1);
  const breaks = lineLength === 0 || characters === 0 ? 0 : Math.ceil(characters / lineLength) - 1;
  // Not from Node's pool: the caller may transfer the memory of its result to another thread.
  const result = Buffer.allocUnsafeSlow(characters + breaks);
  // Each piece is a whole number of lines.
  const piece = lineLength === 0 ? pieceBytes : Math.floor(pieceBytes / lineLength) * ((lineLength / 4) * 3);
  let to = 0;
  for (let at = 0; at < data.length; at += piece) {
    const text = data.subarray(at, at + piece).toBase64(toOptions(layout));
    if (lineLength === 0) {
      to += result.write(text, to, "latin1");
      continue;
    }
    for (let index = 0; index < text.length; index++) {
      if (index % lineLength === 0 && to > 0) result[to++] = 0x0a;
      result[to++] = text.charCodeAt(index);
    }
  }
  return result;
}

/** Encodes pieces of data, in order; joined, the results are those of `encodeBase64Bytes` for all of it. */
export function createBase64Encoder(layout: Base64Layout): {
  write(piece: Uint8Array): Uint8Array[];
  end(): Uint8Array[];
} {
  const { lineLength } = layout;
  const lineBreak = lineLength === 0 ? Buffer.alloc(0) : Buffer.from("\n");
  /** Bytes of a line, or of four characters. */
  const unit = lineLength === 0 ? 3 : (lineLength / 4) * 3;
  let rest: Uint8Array = Buffer.alloc(0);
  let begun = false;
  const encode = (data: Uint8Array): Uint8Array[] => {
    if (data.length === 0) return [];
    const encoded = encodeBase64Bytes(data, layout);
    const result = begun ? [lineBreak, encoded] : [encoded];
    begun = true;
    return result;
  };
  return {
    write(piece) {
      const data = Buffer.concat([rest, piece]);
      const whole = data.length - (data.length % unit);
      rest = data.subarray(whole);
      return encode(data.subarray(0, whole));
    },
    end: () => encode(rest),
  };
}

/** Bytes encoded at a time; a multiple of 3. */
const pieceBytes = 3 * 1024 * 1024;

const toOptions = ({ variant, padding }: Base64Layout) =>
  ({ alphabet: variant === "url" ? "base64url" : "base64", omitPadding: !padding }) as const;

const toLatin1 = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString("latin1");
