# Prints the properties of a country that have a facility and at least that many bedrooms. Needs curl and jq.
# Usage: search.sh <base URL> <country> <facility> <bedrooms>
files=${1:-http://localhost:8080}/_catalogue
country=${2:-IE} facility=${3:-wifi} bedrooms=${4:-0}

release=$(curl -sS "$files/current.json" | jq -r .release)
root=$(curl -sS "$files/roots/$release.json")
echo "$root" | jq -r '.chunks[][0]' > "${TMPDIR:-/tmp}/chunks.$$"
echo "$root" | jq -r .facets | base64 -d | od -An -v -tx1 | tr -d ' \n' | fold -w 32 | paste "${TMPDIR:-/tmp}/chunks.$$" - |
  while read -r chunk facets; do
    curl -sS --compressed "$files/chunks/$chunk.json" "$files/facets/$facets.json" |
      jq -rs --arg country "$country" --arg facility "$facility" --argjson bedrooms "$bedrooms" '
        .[0].entries as $properties | .[1] as $facets | ($facets.facilities[$facility] // "") as $digits
        # Each hexadecimal digit has the bits of four properties, the first in the lowest bit.
        | [$digits | explode[] | if . < 97 then . - 48 else . - 87 end] as $bits
        | range($properties | length) as $i
        | select((($bits[$i / 4 | floor] // 0) / [1, 2, 4, 8][$i % 4] | floor) % 2 == 1)
        | select($bedrooms == 0 or ($facets.fields.bedrooms[$i] // 0) >= $bedrooms)
        | $properties[$i] | select(.country == $country) | "\(.title), \(.city)"'
  done
rm "${TMPDIR:-/tmp}/chunks.$$"
