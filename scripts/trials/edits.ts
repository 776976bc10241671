/**
 * Makes random edits of single fields in property files, those of `content/` and generated ones, and judges each without
 * the engine that makes them.
 *
 *     npm run trial:edits -- --runs 100000 --seed 1
 *
 * A failure prints the smallest case that shows it, and the seed of its round.
 */
import { shippedTexts } from '../../test/editing/edit/cases.ts';
import { type Tally, tryEdits } from '../../test/editing/edit/trial.ts';
import { readOptions, runScript, seedNumber, wholeNumber } from '../command-line.ts';

const USAGE = 'Usage: npm run trial:edits -- [--runs 100000] [--seed 1]';
/** Edits between two lines of progress. */
const ROUND = 10_000;

function main(): void {
  const options = readOptions(process.argv.slice(2), { runs: { type: 'string' }, seed: { type: 'string' } });
  const runs = wholeNumber('runs', String(options.runs ?? 100_000), 1);
  const seed = seedNumber('seed', String(options.seed ?? 1));
  const texts = shippedTexts('content');
  const total: Tally = { made: {}, unchanged: 0, refused: {} };
  for (let done = 0, round = seed; done < runs; round++) {
    const count = Math.min(ROUND, runs - done);
    const tally = tryEdits(texts, count, round);
    add(total.made, tally.made);
    add(total.refused, tally.refused);
    total.unchanged += tally.unchanged;
    done += count;
    console.log(`${done} edits judged (seed ${round})`);
  }
  console.log(JSON.stringify(total, null, 2));
}

function add(sum: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
}

runScript(USAGE, main);
