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

const started = performance.now();
const simulation = await openSimulation();
let report: Report;
if (values.seed !== undefined) {
  report = await simulation.runShare(Number(values.seed), 1, 'tell');
} else {
  const count = Number(values.schedules);
  const onShare = (begun: number) => process.stderr.write(`\r${begun} of ${count}`);
  report = await simulation.run(Number(values.from), count, { processes: Number(values.jobs), onShare });
  process.stderr.write('\n');
}
simulation.close();
const failures = report.failures.filter(({ violations }) => violations.length > 0);
for (const outcome of report.failures) console.log(explain(outcome));
const { schedules, effects, takeovers, waits, seconds } = report;
console.log(
  `${schedules} schedules from seed ${values.seed ?? values.from}: ${effects} effective operations, ${takeovers} leases taken over, ${waits} waits for requests of an earlier holder, ${failures.length} failures; ${seconds.toFixed(0)} s of a processor in ${((performance.now() - started) / 1000).toFixed(0)} s.`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
