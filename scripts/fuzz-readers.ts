/** Compares the two readers of YAML on documents made at random. See `USAGE`. */
import fc from 'fast-check';
import { readQuickly } from '../src/source/simple-yaml.ts';
import { disagreement, mutatedDocument, shuffledDocument } from '../test/source/mutated-document.ts';
import { readOptions, runScript, wholeNumber } from './command-line.ts';

const USAGE = `Usage: npx tsx scripts/fuzz-readers.ts [--count <documents>] [--seed <number>]

Makes documents that are nearly sound properties (100,000 by default), and reads each with the quick reader
and the exact reader. Prints those on which they disagree, and ends with exit code 1 when there is one. The same count
and seed make the same documents; without a seed they are others each time.`;

/** Documents made at once. */
const BATCH = 10_000;

runScript(USAGE, () => {
  const { count, seed } = readOptions(process.argv.slice(2), {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  });
  const wanted = wholeNumber('count', String(count), 1);
  let batchSeed = wholeNumber('seed', String(seed), 0);
  console.log(`Seed ${batchSeed}`);
  let taken = 0;
  let disagreements = 0;
  for (let done = 0; done < wanted; done += BATCH, batchSeed++) {
    const numRuns = Math.min(BATCH, wanted - done);
    for (const text of fc.sample(fc.oneof(mutatedDocument, shuffledDocument), { numRuns, seed: batchSeed })) {
      if (readQuickly(text) === undefined) continue;
      taken++;
      const found = disagreement(text);
      if (found === undefined) continue;
      disagreements++;
      console.log(`${JSON.stringify(text)}\n  ${found}`);
    }
  }
  console.log(`${wanted} documents, ${taken} taken by the quick reader, ${disagreements} disagreements`);
  if (disagreements > 0) process.exitCode = 1;
});
