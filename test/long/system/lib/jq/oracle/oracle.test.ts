import "../../../../../system/lib/jq/oracle/oracle.test.ts";
