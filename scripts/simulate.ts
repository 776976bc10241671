/**
 * Runs schedules of the simulation: `npm run simulate -- --schedules 1000000`, or one of them with all that happens in it:
 * `npm run simulate -- --seed 4711`.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { explain, openSimulation, type Report } from '../test/simulation/runner.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '20000' },
    from: { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
  },
});

/** Schedules that a process runs before it says how it went. */
const SHARE = 5000;

const simulation = await openSimulation();
const reports: Report[] = [];
if (values.seed !== undefined) {
  reports.push(await simulation.run(Number(values.seed), 1, 'tell'));
} else {
  const end = Number(values.from) + Number(values.schedules);
  let next = Number(values.from);
  const worker = async () => {
    while (next < end) {
      const from = next;
      next += SHARE;
      reports.push(await simulation.run(from, Math.min(SHARE, end - from), 'all'));
      process.stderr.write(`\r${Math.min(next, end)} of ${end}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  process.stderr.write('\n');
}
simulation.close();
const sum = (of: (report: Report) => number) => reports.reduce((total, report) => total + of(report), 0);
const failures = reports.flatMap((report) => report.failures);
for (const failure of failures) console.log(explain(failure));
console.log(
  `${sum(({ schedules }) => schedules)} schedules, ${sum(({ effects }) => effects)} effective operations, ${failures.length} failures, ${sum(({ seconds }) => seconds).toFixed(0)} s of a processor.`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
