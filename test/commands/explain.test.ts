/** `catalogue explain`: what it prints, word for word. */
import { describe, expect, it } from 'vitest';
import { documentationUrl } from '../../src/documentation.ts';
import { CODES } from '../../src/source/codes.ts';
import { createWorkspace } from '../build/workspace.ts';
import { runCli } from '../support/run-cli.ts';

const explain = (...args: string[]) => runCli(createWorkspace(), ['explain', ...args]);

describe('catalogue explain', () => {
  it('prints the meaning of a code, an example, its repair, and where to read more', () => {
    expect(explain('no-longer-live')).toEqual({
      status: 0,
      stdout: `no-longer-live (warning)

A property whose time is over stays in the repository, and in no answer of the API.

For example:

    live_until: 2020-09-30

Repaired:

    live_until: 2027-09-30

${documentationUrl('diagnostics', 'no-longer-live')}
`,
      stderr: '',
    });
  });

  it('lists every code with its severity', () => {
    const { status, stdout } = explain();
    expect(status).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual(
      Object.entries(CODES).map(([code, { severity }]) => `${severity.padEnd(7)}  ${code}`),
    );
  });

  it('suggests the code that was probably meant', () => {
    const { status, stdout, stderr } = explain('unknown-contry');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      '"unknown-contry" is not the code of a diagnostic. Did you mean "unknown-country"? "catalogue explain" lists all codes.',
    );
  });
});
