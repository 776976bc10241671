import { expect, it, type TestContext } from 'vitest';
import { missingPrograms, type Program } from '../support/programs.ts';
import { type ConformanceOptions, failureText, runConformance } from './conformance.ts';
import { runOriginFaults } from './origin-faults.ts';
import { FEWER_SIZES, nameOf, type ServerKind } from './server.ts';

/** Seed of the random queries; the environment may set another one. */
const SEED = Number(process.env.CONFORMANCE_SEED ?? 1);

/** The tests of one target with every page size it has. Without its server they are skipped, unless `CI` forbids that. */
export function conformanceTest(kind: ServerKind): void {
  testTarget(kind, { seed: SEED, fuzz: 3000, guarded: true });
}

/** The same cases with eleven page sizes and fewer random queries, on an open catalogue. */
export function quickConformanceTest(kind: ServerKind): void {
  testTarget({ ...kind, sizes: FEWER_SIZES }, { seed: SEED, fuzz: 500, guarded: false });
}

/** Skips a test that needs a missing program, unless `CI` forbids that. */
export async function skipWithout(needs: readonly Program[], context: TestContext): Promise<void> {
  const missing = await missingPrograms(needs);
  const note = `not run, for want of ${missing.join(', ')}`;
  if (missing.length > 0 && process.env.CI === 'true') throw new Error(note);
  context.skip(missing.length > 0, note);
}

function testTarget(kind: ServerKind, options: ConformanceOptions): void {
  if (kind.origin && !kind.isPreview && !kind.lacks?.includes('origin')) {
    const title = `keeps apart what is broken and what is empty (B9, B10, B11, B15): ${nameOf(kind)}`;
    it(title, { timeout: 600_000 }, async (context) => {
      await skipWithout(kind.needs, context);
      const { failures } = await runOriginFaults(kind);
      expect(failureText({ failures })).toBe('');
    });
  }
  it(`answers every request as specified: ${nameOf(kind)}`, { timeout: 1_800_000 }, async (context) => {
    await skipWithout(kind.needs, context);
    const outcome = await runConformance(kind, options);
    expect(failureText(outcome)).toBe('');
  });
}
