import "../../../../../system/lib/jq/oracle/differential.test.ts";
