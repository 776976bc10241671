/** Prints what differs between a live catalogue and its manifest. */
import pico from 'picocolors';
import type { VerifyResult } from '../publish/verify.ts';
import { printable, printableJson } from './printable.ts';
import { plural, type Sink } from './report.ts';

/** Differences printed at most. */
const SHOWN = 100;

/** Prints the outcome of a verification. */
export function reportVerify(result: VerifyResult, format: 'pretty' | 'json', sink: Sink): void {
  if (format === 'json') {
    sink.out(`${printableJson(result)}\n`);
    return;
  }
  const { baseUrl, release, requests, differences, seconds } = result;
  const colors = pico.createColors(sink.color);
  // What a server answers must not be able to steer the terminal.
  for (const { request, what, expected, actual } of differences.slice(0, SHOWN)) {
    sink.err(
      `${colors.bold(printable(request))}\n  ${printable(what)}: expected ${printable(expected)}, got ${printable(actual)}\n`,
    );
  }
  if (differences.length > SHOWN) {
    sink.err(`... and ${differences.length - SHOWN} more; --format json lists them all.\n`);
  }
  const mark = differences.length === 0 ? colors.green('Verified') : colors.red('Verified');
  const what = differences.length === 0 ? 'no differences' : plural(differences.length, 'difference');
  const name = release === null ? '' : `release ${release} at `;
  sink.err(
    `${mark} ${printable(`${name}${baseUrl}`)}: ${plural(requests, 'request')}, ${what}, in ${seconds.toFixed(2)} s.\n`,
  );
}
