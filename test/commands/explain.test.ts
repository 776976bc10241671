/** `catalogue explain`: what it prints, word for word. */
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT_ERRORS, IMPORT_FINDINGS, USAGE_ERRORS } from '../../src/errors/codes.ts';
import { documentationUrl } from '../../src/package/documentation.ts';
import { DIAGNOSTIC_CODES } from '../../src/source/diagnostic-codes.ts';
import { createWorkspace } from '../compile/workspace.ts';
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

  it('lists every code with its severity, then the errors of commands and the findings of imports', () => {
    const { status, stdout } = explain();
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    const diagnostics = Object.entries(DIAGNOSTIC_CODES).map(
      ([code, { severity }]) => `${severity.padEnd(7)}  ${code}`,
    );
    expect(lines.slice(0, diagnostics.length)).toEqual(diagnostics);
    expect(lines.slice(diagnostics.length)).toEqual([
      ...Object.keys({ ...USAGE_ERRORS, ...ENVIRONMENT_ERRORS }).map((code) => `command  ${code}`),
      ...Object.keys(IMPORT_FINDINGS).map((code) => `import   ${code}`),
    ]);
  });

  it('explains the error of a command', () => {
    expect(explain('no-target')).toEqual({
      status: 0,
      stdout: `no-target (error of a command, exit code 2)

The command does not know where to publish.

Name the destination, or set the environment variable CATALOGUE_BUCKET.

https://github.com/property-catalogue/property-catalogue/blob/main/docs/errors.md#no-target
`,
      stderr: '',
    });
  });

  it('suggests the code that was probably meant', () => {
    const { status, stdout, stderr } = explain('unknown-contry');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      '"unknown-contry" is not the code of a diagnostic or an error. Did you mean "unknown-country"? "catalogue explain" lists all codes.',
    );
  });
});
