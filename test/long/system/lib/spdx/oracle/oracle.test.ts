import "../../../../../system/lib/spdx/oracle/oracle.test.ts";
