/** Every run has the same random cases, so that a failure is due to a change. `SEED=1234 npm test` draws others. */
import fc from 'fast-check';
import { expect } from 'vitest';

fc.configureGlobal({
  seed: Number(process.env.SEED ?? 1),
  // Mutation testing does not need the smallest failing case.
  endOnFailure: 'STRYKER_MUTATOR_WORKER' in process.env,
  reporter: (details) => {
    if (!details.failed) return;
    const { testPath = '', currentTestName = '' } = expect.getState();
    const file = testPath.slice(process.cwd().length + 1);
    const name = JSON.stringify(currentTestName.split(' > ').at(-1));
    const replay = `Replay: SEED=${details.seed} npx vitest run ${file} -t ${name}`;
    throw new Error(`${replay}\n${fc.defaultReportMessage(details)}`, { cause: details.errorInstance });
  },
});
