/** The time to check a growing document: the processor time of each way in which a file is read. */

import { formatText } from '../../src/editing/format.ts';
import { repairText } from '../../src/editing/repair.ts';
import { prettyDiagnostic } from '../../src/report/pretty.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { readYamlQuickly } from '../../src/source/simple-yaml.ts';
import { readYamlExactly } from '../../src/source/yaml-document.ts';
import { termsFrom } from '../support/terms.ts';

/** A document of about a length, in UTF-16 units. */
export type GrowingDocument = {
  readonly toString: () => string;
  readonly ofLength: (length: number) => string;
};

const TERMS = termsFrom({
  facilities: ['wifi', 'parking', 'air_conditioning', 'bed_linen', 'breakfast', 'swimming_pool'],
  policy_types: ['check_in', 'check_out', 'cancellation', 'no_show'],
});
const plain = (text: string) => text;
const COLORS = { bold: plain, dim: plain, red: plain, yellow: plain, cyan: plain } as never;

/** Every way in which the text of a file is read. */
export const WAYS: Readonly<Record<string, (text: string) => unknown>> = {
  'the quick reader': readYamlQuickly,
  'the exact reader': (text) => readYamlExactly(text, 'a.yaml'),
  'the check and its report': (text) =>
    checkPropertyFile(Buffer.from(text), 'a.yaml', TERMS).diagnostics.map((diagnostic) =>
      prettyDiagnostic(diagnostic, 'content/', COLORS),
    ),
  'the repair': (text) => repairText(text, TERMS),
  'the form': formatText,
};

/** Sizes, each twice the one before. */
const LENGTHS = [12_500, 25_000, 50_000, 100_000];
/** A document eight times as long may take this many times as long: less than the 64 times of what is quadratic. */
const GROWTH = 24;
/** A measurement counts when it is repeated so often: other programs slow this one down. */
const TRIES = 4;

/** Milliseconds of processor time of the exact reader for a plain list of 100 KB, on this machine as it is now. */
const PLAIN = leastTime((text) => readYamlExactly(text, 'a.yaml'), '- wifi\n'.repeat(14_000), TRIES);
/** Milliseconds of processor time that a document may take. */
const LIMIT = 6 * PLAIN;
/**
 * Below this many milliseconds growth has no meaning: it comes from the garbage collector, the compiler, or the step from
 * the quick reader to the exact one.
 */
const NOISE = Math.max(60, 2 * PLAIN);

/** Describes the slowness of a document in one of the ways; undefined when it is fast enough. */
export function slowness(document: GrowingDocument): string | undefined {
  for (const [way, judge] of Object.entries(WAYS)) {
    const texts = LENGTHS.map((length) => document.ofLength(length));
    const first = Math.max(1, leastTime(judge, texts[0]!, 0));
    for (const [place, text] of texts.entries()) {
      const isSlow = (time: number) => time > LIMIT || (time > NOISE && time > GROWTH * first);
      if (!isSlow(leastTime(judge, text, 0))) continue;
      const time = leastTime(judge, text, TRIES);
      const least = Math.max(1, leastTime(judge, texts[0]!, TRIES));
      if (time <= LIMIT && !(time > NOISE && time > GROWTH * least)) continue;
      return `${way} takes ${time.toFixed()} ms of ${LENGTHS[place]} characters (${least.toFixed()} ms of ${LENGTHS[0]}): ${document}`;
    }
  }
  return undefined;
}

/** The least processor time of one measurement and some more, in milliseconds. */
function leastTime(judge: (text: string) => unknown, text: string, more: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count <= more; count++) {
    const before = process.cpuUsage();
    judge(text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
