import type { Example } from "../catalog/tool.ts";

type Input = { data: string; name: string; editorconfig: string };

/** Common uses of editorconfig-checker. */
export const editorconfigExamples: Example<Input>[] = [
  {
    input: {
      data: "if (a) {\n  b();\n}\n",
      name: "src/a.js",
      editorconfig:
        "root = true\n\n[*]\nend_of_line = lf\ninsert_final_newline = true\ntrim_trailing_whitespace = true\n\n[*.{js,ts}]\nindent_style = space\nindent_size = 2\nmax_line_length = 40\n",
    },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "A tab, a long line, a space at the end of a line, and no line end at the end",
    input: {
      data: "if (a) {\n\tb();\n  callSomethingWithANameOf('many letters');\n} ",
      name: "src/a.ts",
      editorconfig:
        "root = true\n\n[*]\nend_of_line = lf\ninsert_final_newline = true\ntrim_trailing_whitespace = true\n\n[*.{js,ts}]\nindent_style = space\nindent_size = 2\nmax_line_length = 40\n",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The line is indented with a tab; indent_style is space.",\n      "severity": "error",\n      "rule": "indent-style",\n      "line": 2,\n      "column": 1,\n      "offset": 9,\n      "pointer": ""\n    },\n    {\n      "message": "The line has 43 characters; max_line_length is 40.",\n      "severity": "error",\n      "rule": "line-length",\n      "line": 3,\n      "column": 41,\n      "offset": 55,\n      "pointer": ""\n    },\n    {\n      "message": "The line ends with spaces or tabs; trim_trailing_whitespace is true.",\n      "severity": "error",\n      "rule": "trailing-whitespace",\n      "line": 4,\n      "column": 2,\n      "offset": 60,\n      "pointer": ""\n    },\n    {\n      "message": "The file lacks a line end at its end; insert_final_newline is true.",\n      "severity": "error",\n      "rule": "final-newline",\n      "line": 4,\n      "column": 3,\n      "offset": 61,\n      "pointer": ""\n    }\n  ]\n}',
  },
  {
    title: "Sections that do not match leave the file alone, and unset takes a setting back",
    input: {
      data: "a \r\n",
      name: "docs/a.md",
      editorconfig:
        "[*]\nend_of_line = lf\ntrim_trailing_whitespace = true\n\n[docs/**.md]\nend_of_line = unset\ntrim_trailing_whitespace = false\n",
    },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "A .editorconfig itself",
    input: {
      data: "[*]\nindent_style = spaces\n",
      name: ".editorconfig",
      editorconfig: "",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "indent_style must be space or tab, not \\"spaces\\". Did you mean space?",\n      "severity": "error",\n      "rule": "config",\n      "line": 2,\n      "column": 16,\n      "offset": 19,\n      "pointer": ""\n    }\n  ]\n}',
  },
];
