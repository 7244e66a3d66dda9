/** Files of one kind, and the tool that validates them. */
export interface Kind {
  tool: string;
  /** The comment above the entry. */
  why: string;
  /** Patterns of names. */
  files: readonly string[];
  /** Matches the start of a document of this kind, if names are not enough. */
  content?: RegExp;
  /** The options of the tool. */
  with?: Readonly<Record<string, unknown>>;
  /** The tool that formats the same files. */
  formatter?: string;
}

/** Kinds of files that their names tell. Only patterns that match a file, and tools of the catalogue, are proposed. */
export const kinds: readonly Kind[] = [
  {
    tool: "json-validator",
    why: "JSON by RFC 8259, without repeated keys. Comments are allowed where the program of a file allows them, as in tsconfig.json and .vscode.",
    files: [
      "**/*.json",
      "**/*.jsonc",
      "**/*.json5",
      "**/*.code-workspace",
      "**/*.geojson",
      "**/*.webmanifest",
      "**/*.ipynb",
      "**/*.avsc",
      "**/*.har",
      "**/*.tfstate",
      "**/*.jsonld",
      "**/*.sarif",
      "**/.babelrc",
      "**/.swcrc",
      "**/.jshintrc",
      "**/composer.lock",
      "**/Pipfile.lock",
      "**/flake.lock",
    ],
    formatter: "json-formatter",
  },
  { tool: "ndjson-validator", why: "A JSON document on each line.", files: ["**/*.ndjson", "**/*.jsonl"] },
  {
    tool: "yaml-validator",
    why: "YAML 1.2, without repeated keys. Add with: { lint: [truthy, indent] } to be stricter.",
    files: [
      "**/*.yaml",
      "**/*.yml",
      "**/.prettierrc",
      "**/.clang-format",
      "**/.clang-tidy",
      "**/.clangd",
      "**/.yamllint",
      "**/CITATION.cff",
      "**/pubspec.lock",
    ],
    formatter: "yaml-formatter",
  },
  {
    tool: "toml-validator",
    why: "TOML 1.0.",
    files: ["**/*.toml", "**/Cargo.lock", "**/poetry.lock", "**/uv.lock", "**/pdm.lock", "**/Pipfile"],
    formatter: "toml-formatter",
  },
  {
    tool: "xml-validator",
    why: "Well-formed XML.",
    files: [
      "**/*.xml",
      "**/*.xsd",
      "**/*.xsl",
      "**/*.xslt",
      "**/*.wsdl",
      "**/*.svg",
      "**/*.csproj",
      "**/*.fsproj",
      "**/*.vbproj",
      "**/*.vcxproj",
      "**/*.props",
      "**/*.targets",
      "**/*.resx",
      "**/*.nuspec",
      "**/*.plist",
      "**/*.xaml",
      "**/*.xlf",
      "**/*.xliff",
    ],
    // Properties of Java and lists of properties in other formats have the same endings.
    content: /^\uFEFF?\s*</,
    formatter: "xml-formatter",
  },
  {
    tool: "csv-validator",
    why: "Tables: every line has as many cells as the first.",
    files: ["**/*.csv", "**/*.tsv"],
  },
  {
    tool: "env-validator",
    why: "Settings of the environment.",
    files: ["**/.env", "**/.env.*", "**/*.env"],
  },
  {
    tool: "data-converter",
    why: "Properties of Java, without repeated keys.",
    files: ["**/*.properties"],
    with: { from: "properties", to: "json" },
  },
  {
    tool: "data-converter",
    why: "INI files; some programs read repeated keys as a list.",
    files: ["**/*.ini"],
    with: { from: "ini", to: "json", duplicateKeys: "list" },
  },
  {
    tool: "github-actions-linter",
    why: "Workflows and actions of GitHub.",
    files: [".github/workflows/*.yml", ".github/workflows/*.yaml", "**/action.yml", "**/action.yaml"],
  },
  {
    tool: "dockerfile-linter",
    why: "Dockerfiles.",
    // Dockerfile.dockerignore lists the files that a build leaves out.
    files: [
      "**/Dockerfile",
      "**/Dockerfile.!(dockerignore)",
      "**/*.Dockerfile",
      "**/*.dockerfile",
      "**/Containerfile",
    ],
  },
  {
    tool: "compose-validator",
    why: "Services of Docker Compose.",
    files: [
      "**/compose.yaml",
      "**/compose.yml",
      "**/compose.*.yaml",
      "**/compose.*.yml",
      "**/docker-compose*.yaml",
      "**/docker-compose*.yml",
    ],
  },
];

/** Kinds of files that only their content tells; the names limit what is read. */
export const contentKinds: readonly (Kind & { content: RegExp })[] = [
  {
    tool: "kubernetes-validator",
    why: 'Manifests of Kubernetes. Add with: { version: "1.34" } if your cluster is older than the newest release.',
    files: ["**/*.yaml", "**/*.yml"],
    content:
      /^apiVersion:[ \t]+["']?(?:v1|(?:apps|batch|policy|autoscaling|[\w.-]+\.k8s\.io)\/v\d\w*)["']?[ \t]*(?:#.*)?$/m,
  },
  {
    tool: "openapi-validator",
    why: "Descriptions of APIs by OpenAPI.",
    files: ["**/*.json", "**/*.yaml", "**/*.yml"],
    content: /^[ \t{]*["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?[23]\.\d/m,
  },
  {
    tool: "license-checker",
    why: "Licences of packages. Add allow or deny, with identifiers of SPDX, to choose.",
    files: [
      "**/package-lock.json",
      "**/npm-shrinkwrap.json",
      "**/bom.json",
      "**/*.cdx.json",
      "**/*.spdx.json",
    ],
    content: /"licen[cs]e(?:s|Concluded|Declared)?"[ \t\r\n]*:/,
    with: { unknown: "warn" },
  },
  {
    tool: "certificate-expiry-checker",
    why: "Certificates that expire within 30 days.",
    files: ["**/*.pem", "**/*.crt", "**/*.cer"],
    content: /^-----BEGIN (?:TRUSTED )?CERTIFICATE-----/m,
    with: { days: 30 },
  },
];

/** Files with GraphQL: a schema, or operations. */
export const graphqlFiles: readonly string[] = ["**/*.graphql", "**/*.graphqls", "**/*.gql"];
export const graphqlSchema =
  /^(?:extend[ \t]+)?(?:schema|type|interface|union|enum|input|scalar|directive)\b/m;
export const graphqlOperation = /^(?:query|mutation|subscription|fragment)\b|^\{/m;
