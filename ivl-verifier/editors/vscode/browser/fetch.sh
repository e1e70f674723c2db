#!/bin/sh
# Fetches code-server and what drives a browser, in the versions of package-lock.json. Install scripts are not run:
# some of them download programs from elsewhere. The native modules that the editor cannot do without are compiled here
# (needs a C++ compiler, python3 and Debian's libkrb5-dev), with the node-gyp of the lock file, since `npx node-gyp`,
# which node-pty calls, takes what lies above it and asks before it fetches one; files are searched by Debian's ripgrep.
set -eu
cd "$(dirname "$0")"
npm ci --ignore-scripts
editor=node_modules/code-server/lib/vscode
(cd "$editor" && npm ci --omit=dev --ignore-scripts --legacy-peer-deps)
for module in node-pty @vscode/spdlog native-watchdog @parcel/watcher; do
  (cd "$editor" && npm rebuild "$module")
done
npm rebuild argon2
mkdir -p "$editor/node_modules/@vscode/ripgrep/bin"
ln -sf "$(command -v rg)" "$editor/node_modules/@vscode/ripgrep/bin/rg"
