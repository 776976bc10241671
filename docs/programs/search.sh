# Prints the properties of a country that have a facility and so many bedrooms. Needs curl and jq.
# Usage: search.sh <base URL> <country> <facility> <bedrooms>
files=${1:-http://localhost:8080}/_catalogue
country=${2:-IE} facility=${3:-wifi} bedrooms=${4:-0}

release=$(curl -sS "$files/current.json" | jq -r .release)
root=$(curl -sS "$files/roots/$release.json")
echo "$root" | jq -r '.chunks[][0]' > "${TMPDIR:-/tmp}/chunks.$$"
echo "$root" | jq -r .facets | base64 -d | od -An -v -tx1 | tr -d ' \n' | fold -w 32 | paste "${TMPDIR:-/tmp}/chunks.$$" - |
  while read -r chunk facets; do
    # The summaries are the last line of a chunk.
    { curl -sS "$files/chunks/$chunk.bin" | LC_ALL=C grep -ao '{"id":".*' | sed 's/^/[/; s/$/]/'
      curl -sS "$files/facets/$facets.json"; } |
      jq -rs --arg country "$country" --arg facility "$facility" --argjson bedrooms "$bedrooms" '
        .[0] as $properties | .[1] as $facets | ($facets.words | index($facility)) as $word
        | range($properties | length)
        | select($word != null and ($facets.facilities[.] | index($word)) != null)
        | select($bedrooms == 0 or ($facets.fields.bedrooms[.] // 0) >= $bedrooms)
        | $properties[.] | select(.country == $country) | "\(.title), \(.city)"'
  done
rm "${TMPDIR:-/tmp}/chunks.$$"
