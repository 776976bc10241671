import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryPrefix } from '../../src/report/path-prefix.ts';
import { sarifLog } from '../../src/report/sarif.ts';
import { printJsonList } from '../../src/report/sink.ts';
import { createDiagnostic, createSpans, type Diagnostic } from '../../src/source/diagnostic.ts';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../../src/source/diagnostic-codes.ts';
import { findingsOf } from '../../src/source/findings.ts';
import { createWorkspace } from '../compile/workspace.ts';

type Log = {
  runs: {
    tool: { driver: { rules: { id: string; help: { text: string; markdown: string } }[] } };
    results: { ruleId: string; ruleIndex: number; locations: unknown[]; message: { text: string } }[];
  }[];
};

const span = createSpans('title: 😀 x\ncountry: Ireland\n')(21, 28);
const country = createDiagnostic('unknown-country', 'ie/Röse 1.yaml', span, {
  value: 'Ireland',
  suggestion: 'IE',
});
/** As it is printed. */
function log(diagnostics: readonly Diagnostic[]): Log {
  const { document, results } = sarifLog(findingsOf(diagnostics), 'stays/');
  let text = '';
  const out = (chunk: string) => {
    text += chunk;
  };
  printJsonList(document, 'results', results, { out, err: out, color: false });
  return JSON.parse(text) as Log;
}

describe('a SARIF log', () => {
  it('has what SARIF 2.1.0 asks for, for every code', () => {
    const codes = Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[];
    const all = log(codes.map((code) => createDiagnostic(code, 'a.yaml', span)));
    const some = expect.stringMatching(/./);
    expect(all).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: some } } }] });
    const [{ tool, results }] = all.runs as [Log['runs'][number]];
    expect(results.map(({ ruleId }) => ruleId)).toEqual(codes);
    expect(new Set(tool.driver.rules.map(({ id }) => id)).size).toBe(tool.driver.rules.length);
    for (const { ruleId, ruleIndex, ...result } of results) {
      expect(tool.driver.rules[ruleIndex]).toMatchObject({
        ...{ id: ruleId, help: { text: some, markdown: some } },
        helpUri: expect.stringMatching(/^https:\/\/[^#]+#[a-z0-9-]+$/),
      });
      expect(result).toMatchObject({
        ...{ level: expect.stringMatching(/^(?:error|warning)$/), message: { text: some } },
      });
    }
    expect(log([]).runs[0]!.results).toEqual([]);
  });

  it('has place, message and help, with the link of its code', () => {
    const [run] = log([country, createDiagnostic('empty-file', 'a.yaml', null)]).runs;
    expect(run!.results[0]).toMatchObject({
      ruleId: 'unknown-country',
      level: 'error',
      message: { text: '"Ireland" is not the code of a country. Did you mean "IE"?' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'stays/ie/R%C3%B6se%201.yaml', uriBaseId: 'SRCROOT' },
            region: {
              startLine: 2,
              startColumn: 10,
              endLine: 2,
              endColumn: 17,
              snippet: { text: 'country: Ireland' },
            },
          },
        },
      ],
    });
    expect(run!.results[1]!.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'stays/a.yaml', uriBaseId: 'SRCROOT' } } },
    ]);
    const { help } = run!.tool.driver.rules.find(({ id }) => id === 'unknown-country')!;
    expect(help.markdown).toContain(
      '(https://github.com/property-catalogue/property-catalogue/blob/main/docs/diagnostics.md#unknown-country)',
    );
    expect(help.text).toContain('country: IE');
  });

  it('counts columns in UTF-16 units', () => {
    const emoji = createSpans('title: 😀 x\n')(10, 11);
    expect(log([createDiagnostic('empty-text', 'a.yaml', emoji)]).runs[0]!.results[0]).toMatchObject({
      locations: [{ physicalLocation: { region: { startColumn: 11, endColumn: 12 } } }],
    });
  });
});

describe('paths for services', () => {
  it('start at the root of the repository, wherever the command runs', () => {
    const { root } = createWorkspace();
    const content = join(root, 'stays/content');
    mkdirSync(content, { recursive: true });
    mkdirSync(join(root, '.git'));
    expect(repositoryPrefix(content)).toBe('stays/content/');
    expect(repositoryPrefix(root)).toBe('');
  });
});
