/** Documents of about this many bytes that need much more memory. */
export const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  "a list of digits": (bytes) => `[${"1,".repeat(bytes / 2 - 2)}1]`,
  "a list of empty objects": (bytes) => `[${"{},".repeat(bytes / 3 - 1)}1]`,
  "a list of lists": (bytes) => `[${"[[]],".repeat(bytes / 5 - 1)}1]`,
  "an object of many keys": (bytes) =>
    `{${Array.from({ length: bytes / 12 }, (_, index) => `"${index.toString(36)}":1`).join(",")}}`,
  records: (bytes) =>
    `[${Array.from({ length: bytes / 40 }, (_, id) => `{"id":${id},"name":"é${id}","at":[1]}`).join(",")}]`,
  "deep lists": (bytes) => `[${`${"[".repeat(500)}1${"]".repeat(500)},`.repeat(bytes / 1002 - 1)}1]`,
  "deeper lists": () => "[".repeat(5700) + "]".repeat(5700),
  "one string of two bytes": (bytes) => `"${"一".repeat(bytes / 3 - 2)}"`,
  "one string of control characters": (bytes) => `"${"\\u0001".repeat(bytes / 6 - 2)}"`,
  "characters of two bytes": (bytes) => "一".repeat(bytes / 3),
  "characters that are escaped": (bytes) => "\u0001<&>\"'".repeat(bytes / 6),
  "short lines": (bytes) => "b\na\n".repeat(bytes / 4),
  fields: (bytes) => "a,b\n1,\n".repeat(bytes / 7),
  elements: (bytes) => `<a>${"<b/>".repeat(bytes / 4 - 2)}</a>`,
  variables: (bytes) => Array.from({ length: bytes / 12 }, (_, index) => `A${index}=${index}`).join("\n"),
  mappings: (bytes) => "a: [1, 2]\nb: {c: 1}\n---\n".repeat(bytes / 24),
};
