import { fieldLines, NEW_STYLE } from '../../src/editing/edit/new-lines.ts';
import { type Facility, inVocabularyOrder, POLICY_TYPES } from '../facilities.ts';

/**
 * The text of `content/catalogue.yaml`.
 *
 * @param facilities those that the properties have
 */
export function shippedConfiguration(facilities: Iterable<Facility>): string {
  return `${HEAD}
# The facilities and policy types in use. Any other one is a warning that names the nearest of these.
vocabulary:
  ${fieldLines('facilities', inVocabularyOrder(facilities), 2, NEW_STYLE)}
  ${fieldLines('policy_types', POLICY_TYPES, 2, NEW_STYLE)}
`;
}

const HEAD = `# Settings of the catalogue. What stands behind "#" is the default.

# URL in front of /api/v1/public/properties: where the catalogue will be served.
base_url: http://localhost:8080

# URL in front of /media/, if photos are served from another place than the rest.
# media_base_url: https://media.example.com

# Page sizes to publish: all of 1 to 100, or a list such as [10, 25, 50]; other sizes then answer 400.
# page_sizes: all

# A build that would write more files than this is refused.
# max_files: 2000000

# How thumbnails are made from photos. fit is cover (cropped to the exact shape) or inside (the whole photo).
# thumbnail:
#   width: 400
#   height: 300
#   fit: cover
#   format: webp
#   quality: 75

# How photos are published: scaled down to at most this width, never up.
# photo:
#   max_width: 2560
#   format: jpeg
#   quality: 82

# link publishes "url:" photos as links; fetch also downloads them to make thumbnails.
# remote_photos: link

# SHA-256 digests of keys. The list asks for one of them in X-API-KEY; without keys it is open to everyone.
# api_keys: []

# Cache-Control headers of lists and details, of photos, and of errors.
# cache_control:
#   api: public, max-age=60, stale-while-revalidate=600, stale-if-error=86400
#   media: public, max-age=31536000, immutable
#   problem: public, max-age=10

# Whether the whole catalogue can be downloaded, as properties.ndjson, properties.geojson and changes.
# bulk: true

# Whether there is a page, docs/, that shows the API and tries it.
# docs: true

# Licence of the data, named in the OpenAPI document and in index.json.
# license:
#   name: CC BY 4.0
#   url: https://creativecommons.org/licenses/by/4.0/

# The page to look at the catalogue with. Maps show an outline of the world unless there are tiles; photos of other
# hosts are links unless these are named.
explorer:
#   enabled: true
#   tiles:
#     url: https://tiles.example.com/{z}/{x}/{y}.png
#     attribution: © OpenStreetMap contributors
#     attribution_url: https://www.openstreetmap.org/copyright
#   image_hosts: []
  sources:
    - text: "Contains Irish Public Sector Data licensed under CC BY 4.0, source: Fáilte Ireland."
      url: https://data.gov.ie
    - text: "Origen de los datos: Ayuntamiento de Madrid / Madrid Destino, 2021-11-18."
      url: https://datos.madrid.es
    - text: Inside Airbnb, snapshots to 2021 under CC0 1.0, later ones under CC BY 4.0.
      url: http://insideairbnb.com/get-the-data
    - text: Names of towns by GeoNames, CC BY 4.0.
      url: https://www.geonames.org
    - text: The data was cleaned and completed; photos are samples and do not show the properties.
`;
