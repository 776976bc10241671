import { describe, expect, it } from 'vitest';
import { listedMeaning } from '../../src/import/mapping/unknown-words.ts';
import { createWorkspace, readTree } from '../compile/workspace.ts';
import { imported } from './imported.ts';

const table = (statuses: readonly string[]) =>
  `${['ref;name;town;country;lat;lon;Statut', ...statuses.map((status, n) => `H-${n};House ${n};Cork;Ireland;51.9${n};-8.4;${status}`)].join('\n')}\n`;

async function again(before: readonly string[], now: readonly string[], allowShrink = false) {
  const workspace = createWorkspace();
  await imported(workspace, 'a.csv', table(before));
  const tree = JSON.stringify(readTree(workspace.content));
  const error: unknown = await imported(workspace, 'a.csv', table(now), { allowShrink }).catch(
    (thrown) => thrown,
  );
  return { error, isUnchanged: JSON.stringify(readTree(workspace.content)) === tree };
}

const FRENCH = ['En ligne', 'En ligne', 'Hors ligne', 'En ligne', 'Brouillon'];
const HIDDEN = FRENCH.map((word, n) => (n < 4 ? 'Hors ligne' : word));

describe('a later export whose statuses changed', () => {
  it.each([
    ['numbers', ['1', '1', '0', '1', '0'], '"1", "0"'],
    ['yes and no', ['oui', 'oui', 'non', 'oui', 'non'], '"oui", "non"'],
    ['yes and nothing', ['Oui', 'Oui', '', 'Oui', ''], '"Oui"'],
    ['nothing at all', ['', '', '', '', ''], 'knows the status of 0 of 5 rows'],
  ])('is refused if they are %s', async (_, now, words) => {
    const { error, isUnchanged } = await again(FRENCH, now);
    const message = expect.stringContaining(words) as string;
    expect(error).toMatchObject({ code: 'source-shrunk', message });
    expect(error).toMatchObject({ message: expect.stringContaining('--allow-shrink') as string });
    expect(isUnchanged).toBe(true);
  });

  it.each([
    ['is imported if that is meant', FRENCH, ['1', '1', '0', '1', '0'], true],
    ['is imported if the mapping knows the words', FRENCH, HIDDEN, false],
    [
      'is imported if only some are new',
      FRENCH,
      ['En ligne', 'En ligne', 'Hors ligne', 'En ligne', 'Vendu'],
      false,
    ],
    ['is imported if yes and no follow from the mapping', ['oui', 'non', 'oui'], ['1', '0', '1'], false],
    ['is imported if guests saw none before', ['Prima', 'Dopo', 'Prima'], ['Terza', 'Terza', 'Prima'], false],
  ])('%s', async (_, before, now, allowShrink) => {
    expect((await again(before, now, allowShrink)).error).not.toBeInstanceOf(Error);
  });
});

it.each([
  ['Hors ligne', 'Hors  ligne'],
  ['Hors ligne', 'hors\u00a0ligne'],
  ['Hors  ligne', 'Hors ligne'],
])('"%s" in a mapping means "%s" too', async (before, now) => {
  const workspace = createWorkspace();
  await imported(workspace, 'a.csv', table(['En ligne', before, 'En ligne', before]));
  const { result } = await imported(workspace, 'a.csv', table(['En ligne', now, 'En\u00a0ligne', now]));
  expect(result).toMatchObject({ present: 4, drafts: 2 });
  expect(result!.causes.map(({ code }) => code)).not.toContain('unknown-status');
});

it('"map" has words with other spaces too', () => {
  expect(listedMeaning({ 'Gîte  rural': 'cottage' }, 'Gîte\u00a0rural')).toBe('cottage');
});

it('a later export whose coordinates have no decimals is refused, unless that is meant or was so before', async () => {
  const workspace = createWorkspace();
  const good = table(['En ligne', 'En ligne', 'Hors ligne']);
  const broken = good.replace(/51\.9|-8\.4/g, (number) => number.replace('.', ''));
  await imported(workspace, 'a.csv', good);
  const tree = readTree(workspace.content);
  await expect(imported(workspace, 'a.csv', broken)).rejects.toThrow(
    '"lat" have no decimals, such as "5190"',
  );
  expect(readTree(workspace.content)).toEqual(tree);
  expect(await imported(workspace, 'a.csv', broken, { allowShrink: true })).toHaveProperty('result');
  const other = createWorkspace();
  await imported(other, 'a.csv', broken);
  expect(await imported(other, 'a.csv', broken)).toHaveProperty('result');
});
