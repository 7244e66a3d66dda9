import "../../../system/storage/kill.test.ts";
