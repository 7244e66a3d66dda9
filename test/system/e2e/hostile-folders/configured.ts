import { appendFileSync, chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeRepository, type Place, type Prepared, setTime, unformatted } from "./place.ts";

/** Repositories of which the configuration is hostile. */
export const configured: Readonly<Record<string, (place: Place) => Prepared>> = {
  "every setting that names a program": (place) => {
    makeRepository(place);
    makeHooks(place);
    appendFileSync(join(place.folder, ".git/config"), Buffer.from(programSettings(place), "latin1"));
    place.write({
      ".git/info/attributes": Buffer.from(
        "*.json filter=evil diff=evil merge=evil\nbad.json filter=\nsub/*.json filter=\xff\n",
        "latin1",
      ),
    });
    for (const name of ["bad.json", "good.json", "sub/good.json"]) setTime(join(place.folder, name));
    return {};
  },
  "filters without a name and with one that is not UTF-8, and a file that Git would have to read": (
    place,
  ) => {
    const { folder, evil, write } = place;
    makeRepository(place);
    write({ ".git/info/attributes": Buffer.from("*.json filter=\nsub/*.json filter=\xff\n", "latin1") });
    appendFileSync(
      join(folder, ".git/config"),
      Buffer.from(
        `[filter ""]\n\tclean = ${evil}\n[filter "\xff"]\n\tclean = ${evil}\n\tprocess = ${evil}\n`,
        "latin1",
      ),
    );
    for (const name of ["good.json", "sub/good.json"]) setTime(join(folder, name));
    return {};
  },
  "every setting that names a file": (place) => {
    const { folder, outside, home, write } = place;
    makeRepository(place);
    write({ ignore: "*\n", attributes: "* -text\n", order: "x\n" }, outside);
    write({ ".config/git/ignore": "theirs.json\n" }, home);
    write({ "theirs.json": unformatted });
    appendFileSync(join(folder, ".git/config"), fileSettings(outside));
    return {};
  },
  "a file of patterns and one of attributes in the folder itself": (place) => {
    makeRepository(place);
    place.write({ "my-ignore": "theirs.json\n", "theirs.json": unformatted, "my-attributes": "* text\n" });
    appendFileSync(
      join(place.folder, ".git/config"),
      "[core]\nexcludesFile = my-ignore\nattributesFile = my-attributes\n",
    );
    return {};
  },
  "a configuration that includes one in the folder": (place) => {
    makeRepository(place);
    place.write({ "shared.gitconfig": `[core]\nfsmonitor = ${place.evil}\nworktree = /\n` });
    appendFileSync(join(place.folder, ".git/config"), "[include]\npath = ../shared.gitconfig\n");
    return {};
  },
  "a configuration that includes a file of somebody else": (place) => {
    makeRepository(place);
    place.write({ settings: "[core]\nbare = false\n" }, place.outside);
    appendFileSync(
      join(place.folder, ".git/config"),
      `[includeIf "onbranch:main"]\npath = ../../outside/settings\n`,
    );
    return { refused: /includes \.\.\/\.\.\/outside\/settings, which is outside of it/ };
  },
  "a clone that lacks a blob, and remotes that are programs": (place) => {
    const { folder, git, evil, outside } = place;
    makeRepository(place);
    const blob = git(["rev-parse", "HEAD:good.json"]).trim();
    git(["init", "-q", "--bare", join(outside, "remote")]);
    appendFileSync(
      join(folder, ".git/config"),
      [
        "[core]\nrepositoryFormatVersion = 1",
        "[extensions]\npartialClone = origin",
        `[remote "origin"]\npromisor = true\nurl = ext::${evil}\nuploadpack = ${evil}`,
        `[remote "second"]\npromisor = true\nurl = ${outside}/remote\nuploadpack = ${evil}`,
        '[remote "third"]\npromisor = true\nvcs = none\nurl = x',
        `[alias]\nremote-none = !${evil}\nremote-ext = !${evil}`,
        '[protocol]\nallow = always\n[protocol "ext"]\nallow = always\n[protocol "file"]\nallow = always\n',
      ].join("\n"),
    );
    // Its name alone is compared.
    rmSync(join(folder, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    return {};
  },
};

const hooks = [
  "post-index-change",
  "pre-commit",
  "fsmonitor-watchman",
  "reference-transaction",
  "pre-auto-gc",
];

function makeHooks({ folder, evil, write }: Place): void {
  for (const hook of hooks)
    for (const path of [`.git/hooks/${hook}`, `my-hooks/${hook}`]) {
      write({ [path]: `#!/bin/sh\n${evil} ${hook}\n` });
      chmodSync(join(folder, path), 0o755);
    }
}

/** The settings of git-config(1) whose value is a program, or a command for a shell. Bytes, one a character. */
const programSettings = ({ evil }: Place): string =>
  [
    ...["", "evil", "\xff"].map(
      (driver) =>
        `[filter "${driver}"]\nclean = ${evil}\nsmudge = ${evil}\nprocess = ${evil}\nrequired = true`,
    ),
    `[core]\nfsmonitor = ${evil}\nhooksPath = my-hooks\npager = ${evil}\neditor = ${evil}\nsshCommand = ${evil}\naskPass = ${evil}\ngitProxy = ${evil}\nalternateRefsCommand = ${evil}\nuntrackedCache = true\nworktree = /`,
    `[hook "evil"]\ncommand = ${evil}\nevent = post-index-change`,
    `[diff]\nexternal = ${evil}\ntool = evil\n[diff "evil"]\ncommand = ${evil}\ntextconv = ${evil}`,
    `[difftool "evil"]\ncmd = ${evil}\n[merge "evil"]\ndriver = ${evil}\n[mergetool "evil"]\ncmd = ${evil}`,
    `[interactive]\ndiffFilter = ${evil}\n[sequence]\neditor = ${evil}`,
    `[pager]\n${["ls-files", "diff-index", "cat-file", "check-ignore", "check-attr", "config", "rev-parse"].map((name) => `${name} = ${evil}`).join("\n")}`,
    `[alias]\n${["ls-files", "diff-index", "cat-file", "check-ignore", "update-index", "hash-object"].map((name) => `${name} = !${evil}`).join("\n")}`,
    `[credential]\nhelper = !${evil}\n[credential "https://example.com"]\nhelper = ${evil}`,
    `[gpg]\nprogram = ${evil}\n[gpg "ssh"]\nprogram = ${evil}\ndefaultKeyCommand = ${evil}\n[gpg "x509"]\nprogram = ${evil}`,
    "[commit]\ngpgSign = true\n[log]\nshowSignature = true\n[submodule]\nrecurse = true",
    `[submodule "sub"]\nupdate = !${evil}\nactive = true\nurl = ext::${evil}`,
    `[browser "evil"]\ncmd = ${evil}\n[man "evil"]\ncmd = ${evil}\n[guitool "evil"]\ncmd = ${evil}`,
    `[tar "evil"]\ncommand = ${evil}\n[trailer "evil"]\ncommand = ${evil}\ncmd = ${evil}`,
    `[uploadpack]\npackObjectsHook = ${evil}\n[sendemail]\nsmtpServer = ${evil}\ntoCmd = ${evil}`,
    `[remote "origin"]\nurl = ext::${evil}\nuploadpack = ${evil}\nreceivepack = ${evil}\nvcs = evil`,
    `[imap]\ntunnel = ${evil}\n[instaweb]\nhttpd = ${evil}\n[gc]\nauto = 1\n`,
  ].join("\n");

/** The settings whose value is a file or a folder. */
const fileSettings = (outside: string): string =>
  [
    `[core]\nexcludesFile = ${outside}/ignore\nattributesFile = ${outside}/attributes\nworktree = ${outside}`,
    `[diff]\norderFile = ${outside}/order\n[commit]\ntemplate = ${outside}/order`,
    `[mailmap]\nfile = ${outside}/order\n[blame]\nignoreRevsFile = ${outside}/order`,
    `[format]\nsignatureFile = ${outside}/order\n[fsck]\nskipList = ${outside}/order`,
    `[init]\ntemplateDir = ${outside}\n[gpg "ssh"]\nallowedSignersFile = ${outside}/order`,
    `[http]\ncookieFile = ${outside}/order\nsslCert = ${outside}/order`,
    `[trace2]\neventTarget = ${outside}/trace\nnormalTarget = ${outside}/trace\nperfTarget = ${outside}/trace\n`,
  ].join("\n");
