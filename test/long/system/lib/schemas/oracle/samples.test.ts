import "../../../../../system/lib/schemas/oracle/samples.test.ts";
