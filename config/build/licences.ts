import { readFileSync } from "node:fs";

/**
 * Packages under the MIT licence that publish no licence text, with the copyright line of their repository or the author in
 * their package.json.
 */
const holders: Readonly<Record<string, string>> = {
  "@headlessui/react": "Copyright (c) 2020 Tailwind Labs",
  "react-compiler-runtime": "Copyright (c) Meta Platforms, Inc. and affiliates.",
  "react-remove-scroll-bar": "Copyright (c) 2025 Anton Korzunov <thekashey@gmail.com>",
  "toggle-selection": "Copyright (c) sudodoki <smd.deluzion@gmail.com>",
};

/** Packages under other licences that publish no licence text: the copyright line of their files, and the texts of their licences. */
const texts: Readonly<Record<string, readonly [copyright: string, ...files: string[]]>> = {
  "@bufbuild/cel": ["Copyright 2024-2026 Buf Technologies, Inc.", "apache-2.0"],
  "@bufbuild/cel-spec": ["Copyright 2024-2026 Buf Technologies, Inc.", "apache-2.0"],
  "@bufbuild/protobuf": ["Copyright 2021-2026 Buf Technologies, Inc.", "apache-2.0", "protobuf-bsd-3-clause"],
};

/** Returns the licence text that a package lacks; undefined if unknown. */
export function missingText(name: string, license: string): string | undefined {
  const [copyright, ...files] = texts[name] ?? [];
  if (copyright !== undefined) {
    const folder = new URL("licences/", import.meta.url);
    return [copyright, ...files.map((file) => readFileSync(new URL(`${file}.txt`, folder), "utf8"))].join(
      "\n\n",
    );
  }
  const holder = holders[name];
  if (holder === undefined || license !== "MIT") return undefined;
  return `MIT License

${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;
}
