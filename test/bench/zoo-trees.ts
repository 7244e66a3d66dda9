import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The kinds of files in the repository, each with its share of a hundred, its check, and a file by number. */
const zoo = {
  documents: {
    share: 25,
    check: "{ tool: json-schema-validator, files: 'data/**/*.json', with: { schemaFile: schema.json } }",
    file: (n: number) => [
      `data/part-${n % 20}/customer-${n}.json`,
      `${JSON.stringify(customer(n), undefined, 2)}\n`,
    ],
  },
  manifests: {
    share: 20,
    check: "{ tool: kubernetes-validator, files: 'deploy/**/*.yaml' }",
    file: (n: number) => [`deploy/app-${n}.yaml`, deployment(n)],
  },
  compose: {
    share: 10,
    check: "{ tool: compose-validator, files: 'services/*/compose.yaml' }",
    file: (n: number) => [`services/service-${n}/compose.yaml`, composition(n)],
  },
  dockerfiles: {
    share: 10,
    check: "{ tool: dockerfile-linter, files: 'images/*/Dockerfile' }",
    file: (n: number) => [`images/image-${n}/Dockerfile`, dockerfile(n)],
  },
  workflows: {
    share: 10,
    check: "{ tool: github-actions-linter, files: '.github/workflows/*.yml' }",
    file: (n: number) => [`.github/workflows/build-${n}.yml`, workflow(n)],
  },
  openapi: {
    share: 5,
    check: "{ tool: openapi-validator, files: 'api/*.yaml' }",
    file: (n: number) => [`api/service-${n}.yaml`, description(n)],
  },
  texts: {
    share: 20,
    check: "{ tool: editorconfig-checker, files: 'src/**/*.py' }",
    file: (n: number) => [`src/part-${n % 20}/module_${n}.py`, module(n)],
  },
} satisfies Record<
  string,
  { share: number; check: string; file(n: number): [path: string, text: string] | string[] }
>;

export type Kind = keyof typeof zoo;
export const kinds = Object.keys(zoo) as Kind[];

/** Writes a repository of Git with the share that some kinds have of so many files. */
export function writeZoo(
  folder: string,
  size: number,
  chosen: readonly Kind[],
): { files: string[]; lines: number } {
  const files: string[] = [];
  let lines = 0;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const kind of chosen)
    for (let n = 0; n < (size * zoo[kind].share) / 100; n++) {
      const [path = "", text = ""] = zoo[kind].file(n);
      write(path, text);
      files.push(path);
      lines += text.split("\n").length - 1;
    }
  write("schema.json", JSON.stringify(schema));
  write(
    ".editorconfig",
    "root = true\n\n[*]\nindent_style = space\nindent_size = 4\nend_of_line = lf\ninsert_final_newline = true\ntrim_trailing_whitespace = true\ncharset = utf-8\n",
  );
  write("penknife.checks.yaml", `checks:\n${chosen.map((kind) => `  - ${zoo[kind].check}\n`).join("")}`);
  const git = (...words: string[]): void => {
    const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com"];
    execFileSync("git", [...identity, ...words], { cwd: folder, stdio: "ignore" });
  };
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Files to check");
  return { files, lines };
}

const text = { type: "string", minLength: 1 };
const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  required: ["id", "name", "orders"],
  additionalProperties: false,
  properties: {
    id: { type: "integer", minimum: 0 },
    name: text,
    orders: {
      type: "array",
      items: {
        type: "object",
        required: ["sku", "count", "price"],
        additionalProperties: false,
        properties: {
          sku: { type: "string", pattern: "^[A-Z]{2}-[0-9]+$" },
          count: { type: "integer", minimum: 1 },
          price: { type: "number", minimum: 0 },
          note: text,
        },
      },
    },
  },
};

const customer = (n: number): object => ({
  id: n,
  name: `Customer ${n}`,
  orders: Array.from({ length: 5 + (n % 20) }, (_, at) => ({
    sku: `AB-${n}${at}`,
    count: 1 + at,
    price: at * 1.25,
  })),
});

const deployment = (n: number): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-${n}
  labels:
    app.kubernetes.io/name: app-${n}
spec:
  replicas: ${1 + (n % 5)}
  selector:
    matchLabels:
      app.kubernetes.io/name: app-${n}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: app-${n}
    spec:
      containers:
        - name: app
          image: registry.example.com/app-${n}:1.${n}.0
          ports:
            - name: http
              containerPort: 8080
          env:
            - name: LOG_LEVEL
              value: info
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
`;

const composition = (n: number): string => `services:
  app:
    image: registry.example.com/app-${n}:1.${n}.0
    ports:
      - "${8000 + n}:8080"
    environment:
      LOG_LEVEL: info
      DATABASE_URL: postgres://app@database/app
    depends_on:
      database:
        condition: service_healthy
    networks: [internal]
  database:
    image: postgres:17.2
    volumes:
      - data:/var/lib/postgresql/data
    healthcheck:
      test: [CMD, pg_isready, -U, app]
      interval: 5s
    networks: [internal]
volumes:
  data: {}
networks:
  internal: {}
`;

const dockerfile = (n: number): string => `FROM node:22.11.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:22.11.0-slim
LABEL version="1.${n}.0"
WORKDIR /app
COPY --from=build /app/dist ./dist
USER node
EXPOSE 8080
CMD ["node", "dist/main.js"]
`;

const workflow = (n: number): string => `name: Build ${n}
on:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: [20, 22]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - id: install
        run: npm ci
      - run: npm test
        if: \${{ steps.install.outcome == 'success' }}
  publish:
    needs: test
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo "\${{ github.sha }}"
`;

const description = (n: number): string => `openapi: 3.0.3
info:
  title: Service ${n}
  version: 1.${n}.0
servers:
  - url: https://api.example.com
paths:
${Array.from(
  { length: 10 },
  (_, at) => `  /things-${at}/{id}:
    get:
      operationId: getThing${at}
      parameters:
        - name: id
          in: path
          required: true
          schema:
            type: string
      responses:
        "200":
          description: The thing
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Thing"
`,
).join("")}components:
  schemas:
    Thing:
      type: object
      required: [id]
      properties:
        id:
          type: string
        size:
          type: integer
`;

const module = (n: number): string =>
  Array.from(
    { length: 20 + (n % 40) },
    (_, at) =>
      `def work_${at}(value):\n    if value > ${at}:\n        return value - ${at}\n    return ${n}\n`,
  ).join("\n\n");
