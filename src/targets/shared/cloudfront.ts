import { ACCESS_RULES } from '../../contract/access.ts';
import { hasPages } from '../../contract/configuration.ts';
import { API_KEY_HEADER, COMMON_HEADERS, RELEASE_HEADER } from '../../contract/headers.ts';
import { LIST_PATH, problemKey } from '../../contract/object-keys.ts';
import type { TargetInput } from '../target.ts';

export const CLOUDFRONT_PUBLISH = 's3://<bucket> --region <region> --cloudfront <distribution> --wait';

export function cloudfrontTemplateView({ configuration, settings: { base } }: TargetInput) {
  const packed = !hasPages(configuration);
  const guarded = ACCESS_RULES.filter(({ access }) => access === 'guarded').map(({ start }) => `/${start}*`);
  return {
    packed,
    headers: COMMON_HEADERS.map(([name, value]) => `\`${name}: ${value}\``).join(', '),
    absentKey: problemKey('property-not-found'),
    brokenKey: problemKey('list-unavailable'),
    isKeyed: configuration.api_keys.length > 0,
    guardedPaths: [LIST_PATH, ...guarded].map((path) => `\`${base}${path}\``).join(', '),
    vary: packed ? `${API_KEY_HEADER}, ${RELEASE_HEADER}` : API_KEY_HEADER,
  };
}
