import type { Example } from "../catalog/tool.ts";

export const dockerfileLinterExamples: Example<{
  data: string;
  ignore?: string[];
  trustedRegistries?: string[];
  pin?: "digest";
  labels?: string[];
}>[] = [
  {
    input: {
      data: 'FROM node:24.4-slim\nWORKDIR /app\nCOPY package.json package-lock.json ./\nRUN npm ci --omit=dev\nCOPY src ./src\nUSER node\nCMD ["node", "src/main.js"]\n',
    },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "An instruction that does not exist, packages without versions, and a command that a shell runs",
    input: {
      data: "FROM debian\nRUNN apt-get update\nRUN apt-get update && apt-get install curl\nCMD curl https://example.com\n",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "debian has no tag, so that each build may begin with another image; name one (DL3006).",\n      "severity": "warning",\n      "rule": "image-tag",\n      "line": 1,\n      "column": 6,\n      "offset": 5,\n      "pointer": ""\n    },\n    {\n      "message": "RUNN is not an instruction. Did you mean RUN?",\n      "severity": "error",\n      "rule": "unknown-instruction",\n      "line": 2,\n      "column": 1,\n      "offset": 12,\n      "pointer": ""\n    },\n    {\n      "message": "What apt-get has fetched stays in the layer; add rm -rf /var/lib/apt/lists/* to this RUN (DL3009).",\n      "severity": "warning",\n      "rule": "package-cache",\n      "line": 3,\n      "column": 5,\n      "offset": 36,\n      "pointer": ""\n    },\n    {\n      "message": "apt-get asks before it installs, and nobody answers in a build; add -y (DL3014).",\n      "severity": "warning",\n      "rule": "package-yes",\n      "line": 3,\n      "column": 23,\n      "offset": 54,\n      "pointer": ""\n    },\n    {\n      "message": "apt-get also installs recommended packages, which the program does without; add --no-install-recommends (DL3015).",\n      "severity": "warning",\n      "rule": "package-recommends",\n      "line": 3,\n      "column": 23,\n      "offset": 54,\n      "pointer": ""\n    },\n    {\n      "message": "curl may have another version in the next build; name it for apt-get: NAME=VERSION (DL3008).",\n      "severity": "warning",\n      "rule": "package-pin",\n      "line": 3,\n      "column": 23,\n      "offset": 54,\n      "pointer": ""\n    },\n    {\n      "message": "Write the command of CMD as a JSON array; a shell in between does not pass signals on to it (DL3025).",\n      "severity": "warning",\n      "rule": "shell-form",\n      "line": 4,\n      "column": 1,\n      "offset": 75,\n      "pointer": ""\n    }\n  ]\n}',
  },
  {
    title: "Rules that comments and options leave out",
    input: {
      data: '# hadolint ignore=DL3006\nFROM debian\n# hadolint global ignore=DL3008\nRUN apt-get update && apt-get install -y --no-install-recommends curl\nCMD ["curl"]\n',
      ignore: ["DL3009"],
    },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "Trusted registries, digests and required labels",
    input: {
      data: 'FROM example.com/base:1.2 AS build\nFROM docker.io/library/alpine:3.22\nLABEL version="one"\n',
      trustedRegistries: ["example.com"],
      pin: "digest",
      labels: ["version:semver", "org.opencontainers.image.source:url"],
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "Name the image by its digest, example.com/base@sha256:…, since a tag may be moved.",\n      "severity": "error",\n      "rule": "image-digest",\n      "line": 1,\n      "column": 6,\n      "offset": 5,\n      "pointer": ""\n    },\n    {\n      "message": "The image must have the label org.opencontainers.image.source (DL3049).",\n      "severity": "error",\n      "rule": "label-missing",\n      "line": 2,\n      "column": 1,\n      "offset": 35,\n      "pointer": ""\n    },\n    {\n      "message": "docker.io is not among the trusted registries (DL3026).",\n      "severity": "error",\n      "rule": "trusted-registry",\n      "line": 2,\n      "column": 6,\n      "offset": 40,\n      "pointer": ""\n    },\n    {\n      "message": "Name the image by its digest, docker.io/library/alpine@sha256:…, since a tag may be moved.",\n      "severity": "error",\n      "rule": "image-digest",\n      "line": 2,\n      "column": 6,\n      "offset": 40,\n      "pointer": ""\n    },\n    {\n      "message": "The label version must be a version of Semantic Versioning, such as 1.2.3 (DL3056).",\n      "severity": "error",\n      "rule": "label-value",\n      "line": 3,\n      "column": 7,\n      "offset": 76,\n      "pointer": ""\n    }\n  ]\n}',
  },
];
