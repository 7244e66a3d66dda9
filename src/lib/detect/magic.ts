export interface Magic {
  readonly name: string;
  readonly group: "picture" | "archive" | "program" | "document" | "media";
}

/** The first bytes of formats, as latin1. */
const signatures: readonly (readonly [start: string, name: string, group: Magic["group"]])[] = [
  ["\x89PNG\r\n", "a PNG picture", "picture"],
  ["\xff\xd8\xff", "a JPEG picture", "picture"],
  ["GIF8", "a GIF picture", "picture"],
  ["RIFF", "a WebP picture or another RIFF file", "picture"],
  ["\0\0\x01\0", "an icon", "picture"],
  ["\x1f\x8b\x08", "a gzip file", "archive"],
  ["PK\x03\x04", "a ZIP archive", "archive"],
  ["BZh", "a bzip2 file", "archive"],
  ["\xfd7zXZ\0", "an xz file", "archive"],
  ["\x28\xb5\x2f\xfd", "a Zstandard file", "archive"],
  ["7z\xbc\xaf", "a 7-Zip archive", "archive"],
  ["\0asm", "a WebAssembly module", "program"],
  ["\x7fELF", "an ELF executable", "program"],
  ["MZ\x90", "a Windows executable", "program"],
  ["\xca\xfe\xba\xbe", "a Java class", "program"],
  ["\xcf\xfa\xed\xfe", "a Mach-O executable", "program"],
  ["%PDF-", "a PDF document", "document"],
  ["SQLite format 3\0", "an SQLite database", "document"],
  ["wOFF", "a font", "document"],
  ["wOF2", "a font", "document"],
  ["OggS", "an Ogg file", "media"],
  ["ID3", "an MP3 file", "media"],
  ["fLaC", "a FLAC file", "media"],
];

/** Returns the format whose signature the bytes begin with. */
export function magicOf(bytes: Uint8Array): Magic | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString("latin1");
  const found = signatures.find(([start]) => head.startsWith(start));
  if (found !== undefined) return { name: found[1], group: found[2] };
  return head.slice(4, 8) === "ftyp" ? { name: "an MP4 file", group: "media" } : undefined;
}
