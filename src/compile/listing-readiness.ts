/** Finds properties that lack fields which a booking site, such as `google-vacation-rentals`, requires. */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { declaredTerms } from '../contract/terms.ts';
import { readConfiguration } from '../source/configuration-file.ts';
import { LISTING_REQUIREMENTS, type ListingService } from '../source/listing-requirements.ts';
import { checkPropertyFile } from '../source/property-file.ts';
import { scanContent } from '../source/scan-content.ts';

export type ListingReadiness = {
  readonly for: ListingService;
  readonly properties: number;
  readonly ready: number;
  readonly wants: readonly {
    readonly what: string;
    readonly source: string;
    readonly missing: readonly string[];
  }[];
};

/** Keeps one file in memory at a time. Skips unreadable files and files with errors. */
export function checkListingReadiness(
  service: ListingService,
  content: string,
  isWanted = (_file: string) => true,
): ListingReadiness {
  const folder = resolve(content);
  const { usable: configuration } = readConfiguration(folder);
  const terms = declaredTerms(configuration);
  const wants = LISTING_REQUIREMENTS[service].map((want) => ({ ...want, missing: [] as string[] }));
  let [properties, ready] = [0, 0];
  for (const file of scanContent(folder, configuration).files.filter(isWanted)) {
    const values = valuesOf(join(folder, file), file, terms);
    if (!values) continue;
    const lacking = wants.filter(({ isMet }) => !isMet(values));
    for (const { missing } of lacking) missing.push(file);
    properties++;
    if (lacking.length === 0) ready++;
  }
  return {
    for: service,
    properties,
    ready,
    wants: wants.map(({ what, source, missing }) => ({ what, source, missing })),
  };
}

function valuesOf(path: string, file: string, terms: ReturnType<typeof declaredTerms>) {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  return checkPropertyFile(bytes, file, terms).property as Readonly<Record<string, unknown>> | undefined;
}
