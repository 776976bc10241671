import { textList } from '../../src/editing/property-text.ts';
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
${textList('facilities', inVocabularyOrder(facilities), 2)}${textList('policy_types', POLICY_TYPES, 2)}`;
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

# SHA-256 digests of the keys of which the list asks one in X-API-KEY; none: the list is open to everyone.
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
`;
