import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkspace } from '../compile/workspace.ts';
import { runCli } from '../support/run-cli.ts';

it.each([
  [['import', 'nowhere.csv'], 2, 'invalid-source'],
  [['import', 'empty.csv'], 2, 'empty-source'],
  [['check', '--content', 'nope'], 2, 'no-content'],
  [['publish', 'dir:x', '--out', 'nope'], 2, 'nothing-built'],
  [['verify', 'http://127.0.0.1:9'], 3, 'unreachable'],
  [['releases', 'dir:nope'], 2, 'no-such-file'],
  [['build', '--layout', 'odd'], 2, 'invalid-argument'],
  [['prune'], 2, 'no-target'],
  [['build', '--out', 'content/house-1.yaml/x'], 3, 'ENOTDIR'],
] as const)('%j with --format json puts its code on the standard output', (args, status, code) => {
  const workspace = createWorkspace();
  workspace.add(1);
  writeFileSync(join(workspace.root, 'empty.csv'), 'title,city\n');
  const pretty = runCli(workspace, [...args]);
  expect(pretty).toMatchObject({ status, stdout: '', stderr: expect.stringMatching(`^${code}: `) });
  for (const format of [['--format', 'json'], ['--format=json']]) {
    const { stdout, ...rest } = runCli(workspace, [...args, ...format]);
    expect(rest).toEqual({ status, stderr: pretty.stderr });
    expect(JSON.parse(stdout)).toEqual({ error: { code, message: expect.stringMatching(/[.)]$/) } });
  }
});

it('an import whose status words hide all properties ends with exit code 1', () => {
  const workspace = createWorkspace();
  const cells = 'Rose,Cork,IE,51.9,-8.4';
  writeFileSync(
    join(workspace.root, 't.csv'),
    `title,city,country,latitude,longitude,Online\n${cells},maybe\n`,
  );
  const mapping =
    'id: { from: title, uuid: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11 }\ndraft: { from: Online, false: [yes] }\n';
  const fields = 'title city country latitude longitude'.split(' ').map((field) => `${field}: ${field}\n`);
  writeFileSync(
    join(workspace.root, 't.mapping.yaml'),
    `${mapping}currency: { value: EUR }\n${fields.join('')}`,
  );
  const { status, stderr } = runCli(workspace, ['import', 't.csv']);
  expect([status, stderr.split('\n').at(-2)]).toEqual([
    1,
    expect.stringMatching(/^Guests will see none .*: maybe\.$/),
  ]);
});

it('the findings about a mapping are JSON too', () => {
  const workspace = createWorkspace();
  mkdirSync(workspace.content, { recursive: true });
  writeFileSync(join(workspace.root, 'table.csv'), 'title,city\nA,Cork\n');
  writeFileSync(join(workspace.root, 'table.mapping.yaml'), 'titel: title\n');
  const { status, stdout, stderr } = runCli(workspace, ['import', 'table.csv', '--format', 'json']);
  expect([status, stderr]).toEqual([1, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    findings: { errors: { 'missing-key': expect.any(Number) } },
    diagnostics: expect.arrayContaining([expect.objectContaining({ file: 'table.mapping.yaml' })]),
  });
});
