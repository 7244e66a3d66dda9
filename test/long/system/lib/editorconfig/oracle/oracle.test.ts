import "../../../../../system/lib/editorconfig/oracle/oracle.test.ts";
