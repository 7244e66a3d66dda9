import "../../../../../system/lib/schemas/oracle/documents.test.ts";
