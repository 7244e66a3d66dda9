import "../../../system/cli/check-fix-faults.test.ts";
