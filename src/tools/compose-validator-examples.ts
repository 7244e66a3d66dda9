import type { Example } from "../catalog/tool.ts";

export const composeValidatorExamples: Example<{ data: string; env?: string; strict?: boolean }>[] = [
  {
    input: {
      data: 'services:\n  web:\n    build: .\n    ports: ["8080:80"]\n    depends_on: [db]\n  db:\n    image: postgres:18\n    volumes: ["data:/var/lib/postgresql"]\nvolumes:\n  data:\n',
    },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "A misspelt key, a volume that is not defined, a port that two services want",
    input: {
      data: 'services:\n  web:\n    image: nginx:1.29\n    port: ["80:80"]\n    ports: ["8080:80"]\n  api:\n    image: example.com/api:2\n    ports: ["127.0.0.1:8080:8080"]\n    volumes: ["dat:/data"]\nvolumes:\n  data:\n',
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "\\"port\\" is no key of a service. Did you mean ports?",\n      "severity": "error",\n      "rule": "unknown-key",\n      "line": 4,\n      "column": 5,\n      "offset": 43,\n      "pointer": "/services/web/port"\n    },\n    {\n      "message": "The service \\"web\\" publishes the port 8080 of the host, too; only one can have it.",\n      "severity": "error",\n      "rule": "port-clash",\n      "line": 8,\n      "column": 13,\n      "offset": 130,\n      "pointer": "/services/api/ports/0"\n    },\n    {\n      "message": "The volume \\"dat\\" is not defined; add it to volumes at the top level. Did you mean data?",\n      "severity": "error",\n      "rule": "undefined-volume",\n      "line": 9,\n      "column": 15,\n      "offset": 167,\n      "pointer": "/services/api/volumes/0"\n    }\n  ]\n}',
  },
  {
    title: "Variables that must be set",
    input: {
      data: "services:\n  db:\n    image: postgres:${VERSION:-18}\n    environment:\n      POSTGRES_PASSWORD: ${PASSWORD:?set it}\n    mem_limit: ${MEMORY}\n",
      env: "MEMORY=1 apple\n",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "PASSWORD is not set, and must be: set it.",\n      "severity": "error",\n      "rule": "required-variable",\n      "line": 5,\n      "column": 26,\n      "offset": 93,\n      "pointer": "/services/db/environment/POSTGRES_PASSWORD"\n    },\n    {\n      "message": "mem_limit must be a size, such as 512m or 1.5gb, not \\"1 apple\\".",\n      "severity": "error",\n      "rule": "value",\n      "line": 6,\n      "column": 16,\n      "offset": 128,\n      "pointer": "/services/db/mem_limit"\n    }\n  ]\n}',
  },
];
