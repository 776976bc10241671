/** What a session prints while it is edited. */
import { expect, it } from 'vitest';
import { createSessionReport } from '../../../src/dev/session/session-report.ts';
import { diagnose } from '../../../src/source/diagnostic.ts';

it('the address is repeated below findings, and only there', () => {
  let text = '';
  const err = (more: string) => {
    text += more;
  };
  let address: string | undefined;
  const report = createSessionReport('content', { out: () => {}, err, color: false }, () => address);
  const built = (diagnostics: ReturnType<typeof diagnose>[]) =>
    report({ kind: 'built', milliseconds: 1, outcome: 'published', diagnostics, leftOut: [] });
  built([diagnose('missing-email', 'a.yaml', null)]);
  expect(text).not.toContain('http');
  address = 'http://localhost:8080/';
  built([diagnose('missing-email', 'a.yaml', null)]);
  expect(text).not.toContain('http');
  built([diagnose('missing-email', 'a.yaml', null), diagnose('missing-phone', 'a.yaml', null)]);
  expect(text.trimEnd().endsWith('\n  http://localhost:8080/')).toBe(true);
});
