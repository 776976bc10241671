#!/usr/bin/env bash
# Writes the report as a comment of the pull request, or replaces the comment of an earlier run.
set -euo pipefail

comments=repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments
mark='<!-- catalogue diff -->'
first=$(gh api --paginate "$comments" \
  --jq ".[] | select(.user.type == \"Bot\") | select(.body | startswith(\"$mark\")) | .id" | head -n 1)
if [ -n "$first" ]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$first" --field "body=@$REPORT" >/dev/null
else
  gh api --method POST "$comments" --field "body=@$REPORT" >/dev/null
fi
