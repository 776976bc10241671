import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkspace } from '../../compile/workspace.ts';
import { imported } from '../imported.ts';

const table = (phone: string) =>
  `ref,name,town,country,lat,lon,phone\n1,Rose,Cork,Ireland,51.9,-8.4,${phone}\n2,Lime,Cork,Ireland,51.8,-8.4,+353214270001\n`;
const PATH = 'properties/ie/rose.yaml';

it.each([
  ['broken YAML', /^title: /m, 'title: [', 'line 2: YAML cannot be read here: The bracket that'],
  ['a key twice', /^phone: /m, 'phone: +353214270009\nphone: ', 'line 6: The field "phone" occurs twice'],
  ['a broken id', /^id: /m, 'id ', 'line 1: YAML cannot be read here'],
  ['no id', /^id: .*\n/m, '', 'it has no readable id.'],
  ['nothing', /.*/s, '', 'it has no readable id.'],
])('a file with %s is reported, neither gone nor written again', async (_, from, to, why) => {
  const workspace = createWorkspace();
  await imported(workspace, 'a.csv', table('+353214270000'));
  const file = join(workspace.content, PATH);
  const broken = readFileSync(file, 'utf8').replace(from, to);
  writeFileSync(file, broken);
  for (const phone of ['+353214270000', '+353214270002']) {
    const { result } = await imported(workspace, 'a.csv', table(phone));
    expect(result).toMatchObject({ written: 0, present: 1, conflict: 1, gone: { files: [] } });
    expect(result!.causes[0]).toMatchObject({ code: 'unreadable-file', severity: 'error', count: 1 });
    expect(result!.causes[0]!.examples[0]!.message).toContain(`${PATH} cannot be read`);
    expect(result!.causes[0]!.examples[0]!.message).toContain(why);
    expect(readFileSync(file, 'utf8')).toBe(broken);
  }
  const { result } = await imported(workspace, 'a.csv', table('+353214270000'), { force: true });
  expect(result).toMatchObject({ replaced: 1, conflict: 0 });
});
