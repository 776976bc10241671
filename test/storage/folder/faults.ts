/** Steps of the file system that fail, or before which another process acts. */
import type fileSystem from 'node:fs/promises';
import { onTestFinished } from 'vitest';

const STEPS = ['link', 'mkdir', 'readFile', 'rename', 'rm', 'stat', 'unlink', 'writeFile'] as const;
type Step = (typeof STEPS)[number];
/** Is called before a step. An error that it throws is the failure of the step. */
type Hook = (path: string, to: unknown) => unknown;

const hooks = new Map<Step, Hook>();

/** Acts before each step of this kind, until the test is over. */
export function beforeStep(step: Step, hook: Hook): void {
  hooks.set(step, hook);
  onTestFinished(() => void hooks.delete(step));
}

/** A failure of the file system. */
export function failure(code: string): Error {
  return Object.assign(new Error(`${code}: a failure of the test`), { code });
}

/** The file system, as `vi.mock()` puts it in its place. */
export async function withFaults(load: () => Promise<typeof fileSystem>): Promise<typeof fileSystem> {
  const real = await load();
  const steps = STEPS.map((name) => {
    const step = real[name] as (...args: unknown[]) => Promise<unknown>;
    return [
      name,
      async (...args: unknown[]) => {
        await hooks.get(name)?.(String(args[0]), args[1]);
        return await step(...args);
      },
    ];
  });
  return { ...real, ...Object.fromEntries(steps) };
}
