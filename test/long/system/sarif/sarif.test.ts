import "../../../system/sarif/sarif.test.ts";
