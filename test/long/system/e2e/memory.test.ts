import "../../../system/e2e/memory.test.ts";
