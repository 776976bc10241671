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
const describe = ({ schedules, effects, takeovers, waits, failures, seconds }: Report) =>
  `${schedules} schedules from seed ${values.seed ?? values.from}: ${effects} effective operations, ${takeovers} leases taken over, ${waits} waits for requests of an earlier holder, ${failures.length} failures; ${seconds.toFixed(0)} s of a processor in ${((performance.now() - started) / 1000).toFixed(0)} s.`;
const simulation = await openSimulation();
if (values.seed !== undefined) {
  const { failures } = await simulation.runShare(Number(values.seed), 1, 'detailed');
  for (const outcome of failures) console.log(explain(outcome));
  process.exitCode = failures.some(({ violations }) => violations.length > 0) ? 1 : 0;
} else {
  const report = await simulation.run(Number(values.from), Number(values.schedules), {
    processes: Number(values.jobs),
    onShare: (sum) => process.stderr.write(`${describe(sum)}\n`),
  });
  for (const outcome of report.failures) console.log(explain(outcome));
  console.log(describe(report));
  process.exitCode = report.failures.length > 0 ? 1 : 0;
}
simulation.close();
