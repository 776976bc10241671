# Prints the number of properties of a country, and the first five. Usage: properties.py <base URL> <country>
import json, sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

base, country = (sys.argv[1:] + ["http://localhost:8080", "IE"][len(sys.argv) - 1:])[:2]
properties = f"{base}/api/v1/public/properties"

try:
    with urlopen(f"{properties}?{urlencode({'filter[country]': country})}") as answer:
        page = json.load(answer)
    print(f"{country}: {page['meta']['pagination']['total_entries']}")
    for summary in page["data"][:5]:
        with urlopen(f"{properties}/{summary['id']}") as answer:
            detail = json.load(answer)
        print(f"{detail['title']}, {detail['city']}, {detail['phone']}")
except HTTPError as error:
    problem = json.load(error)
    sys.exit(f"{problem['type'].split('#')[1]}: {problem['detail']}")
