import "../../../system/cli/transfer.test.ts";
