import "../../../../../system/lib/kubernetes/oracle/oracle.test.ts";
