/** Maps with streets, by one line in the settings of the catalogue. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEditing } from '../editing.ts';

it.each([
  ['page_sizes: [25] # few\n', 'page_sizes: [25] # few\nexplorer:\n  tiles: openstreetmap\n'],
  ['explorer:\n  title: Stays # ours\n', 'explorer:\n  title: Stays # ours\n  tiles: openstreetmap\n'],
  [undefined, 'explorer:\n  tiles: openstreetmap\n'],
])('are one more line, which can be taken out again, and nothing else changes: %j', async (before, after) => {
  const { ask, workspace } = await startEditing((workspace) => {
    if (before !== undefined) workspace.configure(before);
    else rmSync(join(workspace.content, 'catalogue.yaml'), { force: true });
  });
  const text = () => readFileSync(join(workspace.content, 'catalogue.yaml'), 'utf8');
  expect(await ask('set-street-map', { areShown: true })).toMatchObject({ status: 200, json: {} });
  expect(text()).toBe(after);
  expect(await ask('set-street-map', { areShown: false })).toMatchObject({ status: 200, json: {} });
  expect(text()).toBe(before ?? '');
});

it('are refused where the settings cannot be edited, with a sentence', async () => {
  const text = 'explorer: &a { title: x }\nother: *a\n  - {';
  const { ask, workspace } = await startEditing((workspace) => workspace.configure(text));
  const { status, json } = await ask('set-street-map', { areShown: true });
  expect([status, json.code, json.message]).toEqual([
    422,
    'not-editable',
    'The settings of this catalogue cannot be changed here. Ask the colleague who set it up.',
  ]);
  expect(workspace.file('catalogue.yaml')).toBe(text);
});
