import "../../../system/storage/old-folders.test.ts";
