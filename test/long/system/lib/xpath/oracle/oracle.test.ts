import "../../../../../system/lib/xpath/oracle/oracle.test.ts";
