/** Findings are counted, shown and listed alike by builds of every kind and by a check, without an object for each in between. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/compile/check.ts';
import { reportBuild } from '../../src/report/build.ts';
import { compareDiagnostics } from '../../src/source/diagnostic.ts';
import { firstFindings, MAX_SHOWN_FINDINGS, totalCount } from '../../src/source/findings.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** Builds once the files are older than a tick of the clock, and again. */
async function settledBuild(workspace: Workspace) {
  await new Promise((resolve) => setTimeout(resolve, 40));
  await workspace.build();
  return workspace.build();
}

const SETTINGS = 'page_sizes: [25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\n';

/** Two warnings in each file: no e-mail, and no phone. */
function withWarnings(count: number): Workspace {
  const workspace = createWorkspace();
  workspace.configure(SETTINGS);
  for (let n = 1; n <= count; n++) workspace.add(n, { email: '', phone: '' });
  return workspace;
}

describe('many warnings', () => {
  it('are the same after a clean build, one without changes, one title and a check', async () => {
    const workspace = withWarnings(700);
    const { content } = workspace;
    const clean = await workspace.build();
    const all = [...clean.findings];
    expect(all).toEqual(all.toSorted(compareDiagnostics));
    expect(clean.findings).toMatchObject({
      errors: {},
      warnings: { 'missing-email': 700, 'missing-phone': 700 },
    });
    expect(all).toHaveLength(1400);
    expect(clean.diagnostics).toEqual(all);
    expect(firstFindings(clean.findings)).toEqual(all.slice(0, MAX_SHOWN_FINDINGS));

    const unchanged = await settledBuild(workspace);
    expect(unchanged.outcome).toBe('unchanged');
    expect([...unchanged.findings]).toEqual(all);
    expect(firstFindings(unchanged.findings)).toEqual(all.slice(0, MAX_SHOWN_FINDINGS));
    expect((await check({ content })).diagnostics).toEqual(all);

    workspace.add(5, { title: 'Another title', phone: '' });
    const changed = await workspace.build();
    expect(changed.diagnostics).toEqual((await check({ content })).diagnostics);
    expect(changed.findings.warnings).toEqual({ 'missing-email': 699, 'missing-phone': 700 });
    const again = await settledBuild(workspace);
    expect(again.outcome).toBe('unchanged');
    expect(again.diagnostics).toEqual(changed.diagnostics);
  });

  it('are shown by a build without changes although no record is read', async () => {
    const workspace = withWarnings(3);
    const { findings, outcome } = await settledBuild(workspace);
    expect(outcome).toBe('unchanged');
    const files = join(workspace.out, 'state-files');
    for (const name of readdirSync(files)) rmSync(join(files, name));
    expect(firstFindings(findings)).toHaveLength(6);
    expect(() => [...findings]).toThrow('Build again');
  });

  it('include errors first, wherever they are', async () => {
    const workspace = withWarnings(120);
    workspace.write('z.yaml', 'title: [\n');
    const refused = await workspace.build();
    expect(refused.outcome).toBe('refused');
    const first = firstFindings(refused.findings);
    expect(first).toHaveLength(MAX_SHOWN_FINDINGS);
    expect(first.at(-1)).toMatchObject({ file: 'z.yaml', severity: 'error' });
    const kept = await workspace.build({ keepGoing: true });
    expect(kept.leftOut).toEqual(['z.yaml']);
    expect(kept.findings).toMatchObject({ errors: refused.findings.errors });
    expect(kept.diagnostics).toEqual(refused.diagnostics);
  });

  it('about an undeclared field that most files have are one', async () => {
    const workspace = createWorkspace();
    workspace.configure(SETTINGS);
    for (let n = 1; n <= 30; n++)
      workspace.add(n, { draft: true, stove: 'yes', ...(n === 7 && { oven: 'no' }) });
    const { findings, diagnostics } = await workspace.build();
    expect(totalCount(findings.warnings) + totalCount(findings.errors)).toBe(diagnostics.length);
    expect(diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ['undeclared-field', 'catalogue.yaml'],
      ['unknown-key', 'house-7.yaml'],
    ]);
    const again = await settledBuild(workspace);
    expect(again.outcome).toBe('unchanged');
    expect(again.diagnostics).toEqual(diagnostics);
    expect(again.findings).toMatchObject({ errors: findings.errors, warnings: findings.warnings });
    writeFileSync(join(workspace.content, 'house-7.yaml'), '');
    expect((await check({ content: workspace.content })).findings.errors).toMatchObject({ 'empty-file': 1 });
  });

  it('are all in the report for programs, which is written a piece at a time', async () => {
    const workspace = withWarnings(700);
    const result = await workspace.build();
    const texts: string[] = [];
    const out = (text: string) => texts.push(text);
    const sink = { out, err: out, color: false };
    reportBuild(result, 'json', workspace.content, sink);
    const longest = Math.max(...texts.map((text) => text.length));
    expect(longest).toBeLessThan(texts.join('').length / 2);
    const report = JSON.parse(texts.join('')) as typeof result;
    expect(report.diagnostics).toHaveLength(1400);
    expect(report).toMatchObject({ outcome: 'published', findings: { warnings: { 'missing-email': 700 } } });
    texts.length = 0;
    reportBuild(result, 'sarif', workspace.content, sink);
    expect(JSON.parse(texts.join('')).runs[0].results).toHaveLength(1400);
  });
});
