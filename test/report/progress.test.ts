import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BuildEvent } from '../../src/compile/progress.ts';
import { createProgress } from '../../src/report/progress.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** The output for these events, each after the given number of milliseconds. */
function written(live: boolean, ...events: (BuildEvent | number)[]): string[] {
  const parts: string[] = [];
  const { listener, end } = createProgress((text) => parts.push(text), live);
  for (const event of events) {
    if (typeof event === 'number') vi.advanceTimersByTime(event);
    else listener(event);
  }
  end();
  return parts;
}

const STAGES: BuildEvent[] = [
  { kind: 'stage', stage: 'scan' },
  { kind: 'stage', stage: 'read' },
  { kind: 'progress', stage: 'read', done: 32, total: 400 },
  { kind: 'stage', stage: 'plan' },
  { kind: 'plan', files: 1234, bytes: 2048, writes: 'all' },
  { kind: 'stage', stage: 'emit' },
];

describe('progress', () => {
  it('is printed as plain lines without a terminal', () => {
    expect(written(false, ...STAGES, 1000, { kind: 'progress', stage: 'emit', done: 1, total: 2 })).toEqual([
      'Reading properties\n',
      'Planned 1,234 files, 2.0 KiB of lists\n',
      'Writing files\n',
    ]);
  });

  it('is one line on a terminal, which is removed at the end', () => {
    expect(written(true, ...STAGES)).toEqual([
      ...['\r\u001b[KLooking for files', '\r\u001b[KReading properties', '\r\u001b[KPlanning', '\r\u001b[K'],
      ...['Planned 1,234 files, 2.0 KiB of lists\n', '\r\u001b[KWriting files', '\r\u001b[K'],
    ]);
  });

  it('is redrawn only from time to time', () => {
    const progress = (done: number): BuildEvent => ({ kind: 'progress', stage: 'read', done, total: 9 });
    expect(
      written(
        true,
        { kind: 'stage', stage: 'read' },
        50,
        progress(1),
        50,
        progress(2),
        50,
        progress(3),
        50,
        progress(4),
      ),
    ).toEqual([
      '\r\u001b[KReading properties',
      '\r\u001b[KReading properties  2 of 9',
      '\r\u001b[KReading properties  4 of 9',
      '\r\u001b[K',
    ]);
  });

  it('is marked when only a part is written', () => {
    expect(written(false, { kind: 'plan', files: 1, bytes: 0, writes: 'changed' })).toEqual([
      'Planned 1 file, 0 B of lists; only what changed is written\n',
    ]);
  });

  it('ends silently when nothing was shown', () => {
    expect(written(true)).toEqual([]);
    expect(written(false, { kind: 'stage', stage: 'scan' })).toEqual([]);
  });
});
