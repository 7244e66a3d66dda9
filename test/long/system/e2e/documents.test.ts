import "../../../system/e2e/documents.test.ts";
