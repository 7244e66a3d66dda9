import "../../../system/image/image.test.ts";
