/** Runs schedules from one seed to another and prints the results as JSON. */
import { type Outcome, runSchedule } from './schedule.ts';

// Errors are expected here, in large numbers: stack traces would only take time.
Error.stackTraceLimit = 0;
const [from = '0', count = '1', mode = 'stop'] = process.argv.slice(2);
const started = process.cpuUsage();
const failures: Outcome[] = [];
const counts = { effects: 0, takeovers: 0, waits: 0 };
let schedules = 0;
for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
  const outcome = await runSchedule(seed, mode === 'detailed').catch(
    ({ message }: Error): Outcome => ({
      ...{ seed, story: [], effects: 0, takeovers: 0, waits: 0 },
      violations: [`not even the first publish: ${message}`],
    }),
  );
  schedules++;
  counts.effects += outcome.effects;
  counts.takeovers += outcome.takeovers;
  counts.waits += outcome.waits;
  if (mode === 'detailed' || outcome.violations.length > 0) failures.push(outcome);
  if (outcome.violations.length > 0 && (mode === 'stop' || failures.length === 20)) break;
}
const { user, system } = process.cpuUsage(started);
process.stdout.write(
  `${JSON.stringify({ schedules, ...counts, seconds: (user + system) / 1e6, failures })}\n`,
);
process.exit(0);
