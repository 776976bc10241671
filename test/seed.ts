/** Draws the same cases in every run, so that a change fails for what it did. `SEED=1234 npm test` draws others. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
