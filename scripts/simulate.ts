// `npm run simulate -- --schedules 1000000`; `--seed 4711` explains one schedule; `--mutants` finds schedules for
// planted bugs.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { forEachConcurrently } from '../src/storage/for-each.ts';
import { findMutant } from '../test/simulation/find-mutant.ts';
import { MUTANTS } from '../test/simulation/mutants.ts';
import { explain, openSimulation, type Report } from '../test/simulation/runner.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '20000' },
    from: { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
    mutants: { type: 'boolean' },
  },
});

const started = performance.now();
const describe = ({ schedules, effects, takeovers, waits, failures, seconds }: Report) =>
  `${schedules} schedules from seed ${values.seed ?? values.from}: ${effects} effective operations, ${takeovers} locks taken over, ${waits} waits for requests of an earlier holder, ${failures.length} failures; ${seconds.toFixed(0)} s of a processor in ${((performance.now() - started) / 1000).toFixed(0)} s.`;
if (values.mutants) await findMutants();
else if (values.seed !== undefined) await replay(Number(values.seed));
else await runSchedules();

async function findMutants(): Promise<void> {
  const found = new Map<string, number | undefined>(MUTANTS.map(({ name }) => [name, undefined]));
  await forEachConcurrently(MUTANTS, Number(values.jobs), async (mutant) => {
    found.set(mutant.name, await findMutant(mutant));
    console.log(`${mutant.name}: ${found.get(mutant.name) ?? 'not found'}`);
  });
  const file = new URL('../test/simulation/found-by.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`);
}

async function replay(seed: number): Promise<void> {
  const simulation = await openSimulation();
  const { failures } = await simulation.runShare(seed, 1, 'detailed');
  for (const outcome of failures) console.log(explain(outcome));
  process.exitCode = failures.some(({ violations }) => violations.length > 0) ? 1 : 0;
  simulation.close();
}

async function runSchedules(): Promise<void> {
  const simulation = await openSimulation();
  let shown = 0;
  const report = await simulation.run(Number(values.from), Number(values.schedules), {
    processes: Number(values.jobs),
    onShare(sum) {
      for (const outcome of sum.failures.slice(shown)) console.log(explain(outcome));
      shown = sum.failures.length;
      process.stderr.write(`${describe(sum)}\n`);
    },
  });
  console.log(describe(report));
  process.exitCode = report.failures.length > 0 ? 1 : 0;
  simulation.close();
}
