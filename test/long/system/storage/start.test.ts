import "../../../system/storage/start.test.ts";
