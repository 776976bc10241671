# Prints the number of properties of a country, and the first five. Usage: properties.sh <base URL> <country>
base=${1:-http://localhost:8080}
country=${2:-IE}
properties=$base/api/v1/public/properties

text() { sed -n 's/.*"'"$1"'":"\{0,1\}\([^",}]*\).*/\1/p'; }

page=$(curl -sS --get --data-urlencode "filter[country]=$country" "$properties")
case $page in '{"type"'*)
  echo "$(echo "$page" | text type | sed 's/.*#//'): $(echo "$page" | sed 's/.*"detail":"\([^"]*\)".*/\1/')" >&2
  exit 1
esac

echo "$country: $(echo "$page" | text total_entries)"
for id in $(echo "$page" | grep -o '"id":"[^"]*' | cut -c 7- | head -n 5); do
  curl -sS "$properties/$id" | sed 's/^{"title":"\([^"]*\)".*"phone":"\([^"]*\)".*"city":"\([^"]*\)".*/\1, \3, \2/'
  echo
done
