import type { CrossFileFinding, CrossFileInput } from './cross-file-finding.ts';
import type { DiagnosticCode } from './diagnostic-codes.ts';
import { similarCities } from './similar-city.ts';

export const CROSS_FILE_CODES: ReadonlySet<string> = new Set<DiagnosticCode>([
  'duplicate-id',
  'similar-city',
]);

export function checkAcrossFiles(properties: readonly CrossFileInput[]): CrossFileFinding[] {
  return [...duplicateIds(properties), ...similarCities(properties)];
}

const MAX_NAMED = 3;

function duplicateIds(properties: readonly CrossFileInput[]): CrossFileFinding[] {
  const first = new Map<string, CrossFileInput | CrossFileInput[]>();
  for (const property of withSimilarIds(properties)) {
    const { id } = property;
    if (id === undefined) continue;
    const same = first.get(id);
    if (!same) first.set(id, property);
    else if (Array.isArray(same)) same.push(property);
    else first.set(id, [same, property]);
  }
  const findings: CrossFileFinding[] = [];
  for (const same of first.values()) {
    if (!Array.isArray(same)) continue;
    const first = same.slice(0, MAX_NAMED + 1).map((property) => property.path);
    for (const { path, id = '' } of same) {
      const named = first.filter((other) => other !== path).slice(0, MAX_NAMED);
      const more = same.length - 1 - named.length;
      const other = named.join(', ') + (more > 0 ? ` and ${more} more` : '');
      findings.push({ code: 'duplicate-id', path, field: 'id', args: { id, other } });
    }
  }
  return findings;
}

/** Keeps properties whose id starts like another id. For a million, sets of whole ids would take 100 MB more. */
function withSimilarIds(properties: readonly CrossFileInput[]): CrossFileInput[] {
  const start = (id = '') => Number.parseInt(id.slice(0, 7), 16);
  const [seen, several] = [new Set<number>(), new Set<number>()];
  for (const { id } of properties) {
    const head = start(id);
    if (seen.has(head)) several.add(head);
    seen.add(head);
  }
  return several.size === 0 ? [] : properties.filter(({ id }) => several.has(start(id)));
}
