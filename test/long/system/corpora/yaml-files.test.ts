import "../../../system/corpora/yaml-files.test.ts";
