#!/usr/bin/env bash
# Installs the tool for the following steps: with the repository's packages if package.json names the tool, else in a
# separate folder.
set -euo pipefail

installed=${CATALOGUE_CLI:-}
if [ -n "$installed" ]; then exit 0; fi

own() { node -p 'try { require("./package.json").name } catch { "" }' 2>/dev/null || true; }
names() {
  node -e 'try { const { dependencies, devDependencies } = JSON.parse(require("node:fs").readFileSync("package.json", "utf8"));
    process.exitCode = (dependencies ?? {})["property-catalogue"] || (devDependencies ?? {})["property-catalogue"] ? 0 : 1;
  } catch { process.exitCode = 1; }'
}
install() { if [ -f package-lock.json ]; then npm ci --no-audit --no-fund; else npm install --no-audit --no-fund; fi; }

if [ "$(own)" = property-catalogue ]; then
  npm ci --no-audit --no-fund
  npm run --silent compile
  cli=$PWD/lib/cli.js
elif names; then
  install
  cli=$PWD/node_modules/property-catalogue/lib/cli.js
else
  version=${VERSION:-$(node -p 'require(process.argv[1]).version' "$GITHUB_ACTION_PATH/package.json")}
  folder=$RUNNER_TEMP/property-catalogue
  mkdir -p "$folder"
  npm install --no-audit --no-fund --prefix "$folder" "property-catalogue@$version"
  cli=$folder/node_modules/property-catalogue/lib/cli.js
fi
{
  echo "CATALOGUE_CLI=$cli"
  echo "CATALOGUE_NODE=$NODE_VERSION"
} >>"$GITHUB_ENV"
