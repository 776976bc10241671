import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { missingPackages, nameOf, type ServerKind } from './server.ts';

/** Seed of the queries made at random; another one is taken from the environment. */
const SEED = Number(process.env.CONFORMANCE_SEED ?? 1);

/** The test of one target. Without its server it is left out, but where `CI` says that nothing may be. */
export function conformanceTest(kind: ServerKind): void {
  it(`answers every request as decided: ${nameOf(kind)}`, { timeout: 1_800_000 }, async (context) => {
    const missing = missingPackages(kind);
    const note = `not run, for want of ${missing.join(', ')}`;
    if (missing.length > 0 && process.env.CI === 'true') throw new Error(note);
    context.skip(missing.length > 0, note);
    const outcome = await runConformance(kind, { seed: SEED, fuzz: 3000 });
    expect(failureText(outcome)).toBe('');
  });
}
