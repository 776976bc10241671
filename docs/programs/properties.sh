# Prints the number of properties of a country, and the first five. Needs curl and jq. Usage: properties.sh <base URL> <country>
properties=${1:-http://localhost:8080}/api/v1/public/properties
country=${2:-IE}

page=$(curl -sS --get --data-urlencode "filter[country]=$country" "$properties")
if [ "$(echo "$page" | jq 'has("status")')" = true ]; then
  echo "$page" | jq -r '"\(.type | sub(".*#"; "")): \(.detail)"' >&2
  exit 1
fi

echo "$page" | jq -r --arg country "$country" '"\($country): \(.meta.pagination.total_entries)"'
for id in $(echo "$page" | jq -r '.data[:5][].id'); do
  curl -sS "$properties/$id" | jq -r '"\(.title), \(.city), \(.phone)"'
done
