import { ACCESS_RULES } from '../../contract/access.ts';
import { isPacked } from '../../contract/configuration.ts';
import { API_KEY_HEADER, COMMON_HEADERS, RELEASE_HEADER, withRelease } from '../../contract/headers.ts';
import { LIST_PATH, problemKey } from '../../contract/keys.ts';
import type { TargetInput } from '../target.ts';

/** The paths whose answers differ for those with a key, as path patterns. */
function guardedPaths(base: string): string {
  const files = ACCESS_RULES.filter(({ access }) => access === 'guarded').map(({ start }) => `/${start}*`);
  return [LIST_PATH, ...files].map((path) => `\`${base}${path}\``).join(', ');
}

/** The arguments of `catalogue publish` for both targets. */
export const CLOUDFRONT_PUBLISH = 's3://<bucket> --region <region> --cloudfront <distribution> --wait';

/** What a CloudFront distribution needs besides its code, as steps of a README. */
export function cloudfrontSteps({ configuration, settings }: TargetInput): string[] {
  const packed = isPacked(configuration);
  const common = packed ? withRelease(COMMON_HEADERS) : COMMON_HEADERS;
  const headers = common.map(([name, value]) => `\`${name}: ${value}\``).join(', ');
  const steps = [
    'Behaviour: allow all methods (GET, HEAD, OPTIONS, PUT, POST, PATCH, DELETE), else CloudFront answers 403 before the code is asked; compress objects automatically; use the cache times of the origin (minimum TTL 0).',
    `Response headers policy of the behaviour, as custom headers that override the origin's: ${headers}.`,
    `Custom error responses: 403 and 404 to \`/${problemKey('property-not-found')}\`, response code 404, minimum TTL 10 s. A bucket answers 403 for a key that it does not have to those who may not list it.`,
    `More custom error responses: 400, 405, 414, 500, 501, 502, 503 and 504 to \`/${problemKey('list-unavailable')}\`, response code 502, minimum TTL 0. Without them, a failure of the bucket is an answer in XML or HTML that CloudFront keeps for 10 s.`,
  ];
  if (configuration.api_keys.length > 0) {
    const vary = packed ? `${API_KEY_HEADER}, ${RELEASE_HEADER}` : API_KEY_HEADER;
    steps.push(
      `More behaviours of the same kind for the paths ${guardedPaths(settings.base)}, whose response headers policy also adds \`Vary: ${vary}\`.`,
    );
  }
  return steps;
}
