#!/usr/bin/env bash
# Runs one command, with its inputs as words of the command line: no input is ever read as code.
set -uo pipefail

if [ "$COMMAND" = comment ]; then exec bash "$GITHUB_ACTION_PATH/.github/action/comment.sh"; fi

# Splits ARGS into words by the quoting rules of a shell, but runs no shell.
words=() word='' quote='' begun=''
for ((place = 0; place < ${#ARGS}; place++)); do
  char=${ARGS:place:1} next=${ARGS:place+1:1}
  if [ "$char" = \\ ] && [ -n "$next" ] && [ "$quote" != "'" ]; then
    case $quote$next in
      $'\n' | '"'$'\n') ;;
      '"'[\"\\\$\`] | ?) word+=$next begun=1 ;;
      *) word+=$char$next begun=1 ;;
    esac
    place=$((place + 1))
  elif [ -n "$quote" ]; then
    if [ "$char" = "$quote" ]; then quote=''; else word+=$char; fi
  elif [ "$char" = "'" ] || [ "$char" = '"' ]; then
    quote=$char begun=1
  elif [[ $char == [[:space:]] ]]; then
    if [ -n "$begun" ]; then words+=("$word"); fi
    word='' begun=''
  else
    word+=$char begun=1
  fi
done
if [ -n "$begun" ]; then words+=("$word"); fi
if [ -n "$quote" ]; then
  echo "invalid-args: The args have an opening $quote without a closing one." >&2
  echo "exit-code=2" >>"$GITHUB_OUTPUT"
  exit 2
fi
arguments=("$COMMAND")
if [ -n "$ARGUMENT" ]; then arguments+=("$ARGUMENT"); fi
# The URL of this commit's files, so that the comment can show photos.
for word in ${words[@]+"${words[@]}"}; do
  if [ "$COMMAND $word" = 'diff --photos' ]; then
    arguments+=(--photos "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/raw/$HEAD_SHA")
  else
    arguments+=("$word")
  fi
done
option() { if [ -n "$2" ]; then arguments+=("$1" "$2"); fi; }
case $COMMAND in
  publish | prune | releases | rollback | verify) ;;
  *) option --content "$CONTENT" ;;
esac
option --base-url "$BASE_URL"
option --endpoint "$ENDPOINT"
option --cache "$CACHE"
option --cloudfront "$CLOUDFRONT"
option --key-value-store "${KEY_VALUE_STORE:-}"
option --cloudflare "$CLOUDFLARE"
if [ -n "$CLOUDFRONT" ]; then arguments+=(--wait); fi

report=${REPORT:-$RUNNER_TEMP/catalogue-$COMMAND.txt}
node "$CATALOGUE_CLI" "${arguments[@]}" | tee "$report"
code=${PIPESTATUS[0]}
{
  echo "exit-code=$code"
  echo "report=$report"
} >>"$GITHUB_OUTPUT"
# diff exits with 1 if files have errors, but still prints a review.
if [ "$COMMAND" = diff ] && [ "$code" -le 1 ]; then cat "$report" >>"$GITHUB_STEP_SUMMARY"; fi
if [ "$FAIL" = false ] && [ "$code" = 1 ]; then exit 0; fi
exit "$code"
