/** Searches for documents that take long to judge. See `USAGE`. */
import fc from 'fast-check';
import { growingDocument } from '../test/source/growing-document.ts';
import { LIMIT, slowness } from '../test/source/judging-time.ts';
import { readOptions, runScript, seedNumber, wholeNumber } from './command-line.ts';

const USAGE = `Usage: npx tsx scripts/find-slow-inputs.ts [--count <documents>] [--seed=<number>]

Makes documents that repeat a piece (1,000 by default), doubles their size up to 100 KB, and prints those that
take more than ${LIMIT.toFixed()} ms of processor time to judge, or far more than in proportion to their size. Ends with exit code 1
when there is one. The same count and seed make the same documents; without a seed they are others each time.`;

runScript(USAGE, () => {
  const { count, seed } = readOptions(process.argv.slice(2), {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  });
  const options = {
    numRuns: wholeNumber('count', String(count), 1),
    seed: seedNumber('seed', String(seed)),
  };
  console.log(`Seed ${options.seed}`);
  for (const document of fc.sample(growingDocument, options)) {
    const slow = slowness(document);
    if (slow === undefined) continue;
    console.log(slow);
    process.exitCode = 1;
  }
});
