import "../../../system/bounds/json-query-memory.test.ts";
