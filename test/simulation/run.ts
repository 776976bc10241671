/** Runs schedules from one seed to another, and prints what came of them as JSON. */
import { runSchedule } from './schedule.ts';

// Errors are answers here, by the dozen: where they were made is of no interest.
Error.stackTraceLimit = 0;
const [from = '0', count = '1', stop = 'stop'] = process.argv.slice(2);
const started = process.cpuUsage();
const failures: unknown[] = [];
let effects = 0;
let schedules = 0;
for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
  const outcome = await runSchedule(seed, stop === 'tell').catch((error: Error) => ({
    seed,
    violations: [`not even the first publish: ${error.message}`],
    story: [],
    effects: 0,
  }));
  schedules++;
  effects += outcome.effects;
  if (outcome.violations.length === 0) continue;
  failures.push(outcome);
  if (stop === 'stop' || failures.length === 20) break;
}
const { user, system } = process.cpuUsage(started);
process.stdout.write(`${JSON.stringify({ schedules, effects, seconds: (user + system) / 1e6, failures })}\n`);
process.exit(0);
