/** What a session prints while it is edited. */
import { expect, it } from 'vitest';
import { createSessionReporter } from '../../../src/dev/session/session-report.ts';
import { createDiagnostic } from '../../../src/source/diagnostic.ts';

it('the address is repeated below findings, and only there', () => {
  let text = '';
  const err = (more: string) => {
    text += more;
  };
  let address: string | undefined;
  const report = createSessionReporter('content', { out: () => {}, err, color: false }, () => address);
  const built = (diagnostics: ReturnType<typeof createDiagnostic>[]) =>
    report({ kind: 'built', milliseconds: 1, outcome: 'published', diagnostics, leftOut: [] });
  built([createDiagnostic('missing-email', 'a.yaml', null)]);
  expect(text).not.toContain('http');
  address = 'http://localhost:8080/';
  built([createDiagnostic('missing-email', 'a.yaml', null)]);
  expect(text).not.toContain('http');
  built([
    createDiagnostic('missing-email', 'a.yaml', null),
    createDiagnostic('missing-phone', 'a.yaml', null),
  ]);
  expect(text.trimEnd().endsWith('\n  http://localhost:8080/')).toBe(true);
});
