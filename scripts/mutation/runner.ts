/**
 * Runs the tests of a file for mutation testing, in one process that loads the code once. All changes are in the code that
 * it loads; `activeMutant` says which of them is on (StrykerJS).
 *
 * With `MUTATION=reach` each test runs once, and what it reaches is noted. Without it, a test runs once as it is, then once
 * with each change that it reaches and that was not found yet, and once more as it is after each that made it fail.
 */
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { entries, note, only } from './log.ts';

/** What instrumented code reads and writes (StrykerJS). */
type Switches = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  /** More than `hitLimit` calls with a change throw: it goes round for ever. */
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
};

const code: Switches = { mutantCoverage: { static: {}, perTest: {} } };
(globalThis as { __stryker__?: Switches }).__stryker__ = code;

const HIT_FACTOR = 100;
const isReaching = process.env.MUTATION === 'reach';

// biome-ignore lint/style/noDefaultExport: vitest asks for it.
export default class MutationRunner extends TestRunner {
  private readonly before = entries();
  private readonly tests = new Map(only(this.before, 'test').map((entry) => [entry.test, entry]));
  private readonly found = new Set(only(this.before, 'found').map(({ change }) => change));
  private readonly unfit = new Set(only(this.before, 'unfit').map(({ test }) => test));
  private readonly tried = new Set(only(this.before, 'tried').map(({ change, test }) => `${change} ${test}`));
  /** Changes that the test is still to be run with. */
  private left: string[] = [];
  private step: 'as it is' | 'changed' | 'nothing' = 'as it is';
  private hasTried = false;
  /** Whether a test failed without a change, after one with a change: what it left behind needs another process. */
  private isSpoiled = false;

  onBeforeRunFiles(files: RunnerTestFile[]): void {
    const time = (task: RunnerTask): number =>
      'tasks' in task ? Math.max(0, ...task.tasks.map(time)) : (this.tests.get(task.id)?.time ?? 0);
    // The fastest test finds most.
    for (const file of isReaching ? [] : files) file.tasks.sort((one, other) => time(one) - time(other));
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (isReaching) return;
    const reached = Object.keys(this.tests.get(test.id)?.hits ?? {});
    this.left = reached.filter(
      (change) => !this.found.has(change) && !this.tried.has(`${change} ${test.id}`),
    );
    if (this.isSpoiled || this.unfit.has(test.id) || this.left.length === 0) test.mode = 'skip';
    else test.repeats = 2 * this.left.length;
  }

  override onBeforeTryTask(test: RunnerTestCase, { repeats }: { repeats: number } = { repeats: 0 }): void {
    super.onBeforeTryTask(test);
    const hasFailed = test.result?.state === 'fail';
    if (hasFailed) Object.assign(test.result!, { state: 'run', errors: undefined });
    if (isReaching) code.currentTestId = test.id;
    if (isReaching || repeats === 0 || (hasFailed && !this.isSpoiled)) {
      this.step = 'as it is';
      return;
    }
    const change = this.isSpoiled ? undefined : this.left.shift();
    this.step = change ? 'changed' : 'nothing';
    if (!change) return;
    note({ kind: 'tried', change, test: test.id, pid: process.pid });
    this.hasTried = true;
    const hitLimit = this.tests.get(test.id)!.hits[change]! * HIT_FACTOR;
    Object.assign(code, { activeMutant: change, hitCount: 0, hitLimit });
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    if (this.step !== 'nothing') await TestRunner.getTestFn(test)();
  }

  onAfterRetryTask(test: RunnerTestCase): void {
    const change = code.activeMutant;
    code.activeMutant = undefined;
    code.currentTestId = undefined;
    const { state, errors } = test.result!;
    if (isReaching || state !== 'fail') return;
    if (change) {
      this.found.add(change);
      note({
        kind: 'found',
        change,
        isTimeout: /timed out|Hit count limit/.test(errors?.[0]?.message ?? ''),
      });
    } else if (this.step === 'as it is') {
      this.isSpoiled = true;
      if (!this.hasTried) note({ kind: 'unfit', test: test.id });
    }
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    if (!isReaching) return;
    const hits = code.mutantCoverage.perTest[test.id] ?? {};
    note({ kind: 'test', file: test.file.filepath, test: test.id, time: test.result?.duration ?? 0, hits });
  }

  override onAfterRunFiles(files: RunnerTestFile[] = []): void {
    super.onAfterRunFiles();
    if (isReaching) note({ kind: 'static', changes: Object.keys(code.mutantCoverage.static) });
    else if (!this.isSpoiled) for (const { filepath } of files) note({ kind: 'end', file: filepath });
  }
}
