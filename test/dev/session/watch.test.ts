/** The watch reports every change in a tree of directories, also of directories that come, go and move. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { watchContent } from '../../../src/dev/session/watch.ts';
import { temporaryFolder } from '../../support/temporary.ts';

function watched() {
  const root = temporaryFolder();
  const content = join(root, 'content');
  mkdirSync(join(content, 'ie/old'), { recursive: true });
  writeFileSync(join(content, 'ie/old/a.yaml'), '');
  const seen: string[] = [];
  const { close } = watchContent(content, (path) => seen.push(path));
  onTestFinished(close);
  /** Acts, and waits until a path is reported. */
  const expectReport = async (path: string, act: () => void) => {
    seen.length = 0;
    act();
    await expect.poll(() => seen, { interval: 5 }).toContain(path);
  };
  return { root, content, seen, expectReport };
}

it('reports files that come, change and go, in new directories too', async () => {
  const { content, expectReport } = watched();
  const file = (path: string, text: string) => () => writeFileSync(join(content, path), text);
  await expectReport('ie/old/a.yaml', file('ie/old/a.yaml', 'changed'));
  await expectReport('b.yaml', file('b.yaml', ''));
  await expectReport('b.yaml', () => rmSync(join(content, 'b.yaml')));
  await expectReport('fr', () => mkdirSync(join(content, 'fr/paris/left'), { recursive: true }));
  await expectReport('fr/paris/left/c.yaml', file('fr/paris/left/c.yaml', ''));
  await expectReport('fr/paris/left/c.yaml', file('fr/paris/left/c.yaml', 'changed'));
  await expectReport('fr', () => rmSync(join(content, 'fr'), { recursive: true }));
});

it('follows a directory that moves, and one that takes the place of another', async () => {
  const { root, content, expectReport } = watched();
  const file = (path: string, text: string) => () => writeFileSync(join(content, path), text);
  await expectReport('gb', () => renameSync(join(content, 'ie'), join(content, 'gb')));
  await expectReport('gb/old/a.yaml', file('gb/old/a.yaml', 'moved'));
  mkdirSync(join(root, 'other/old'), { recursive: true });
  await expectReport('ie', () => renameSync(join(root, 'other'), join(content, 'ie')));
  await expectReport('ie/old/b.yaml', file('ie/old/b.yaml', ''));
  // As a switch of a branch may do with the whole content.
  await expectReport('', () => renameSync(content, join(root, 'aside')));
  await expectReport('', () => mkdirSync(content));
  await expectReport('c.yaml', file('c.yaml', ''));
});

it('keeps quiet about hidden files, and follows no link', async () => {
  const { root, content, seen, expectReport } = watched();
  mkdirSync(join(content, '.git'));
  writeFileSync(join(content, '.git/index'), '');
  symlinkSync(root, join(content, 'up'));
  writeFileSync(join(root, 'outside.yaml'), '');
  writeFileSync(join(content, '.a.yaml.swp'), '');
  await expectReport('b.yaml', () => writeFileSync(join(content, 'b.yaml'), ''));
  expect(seen.filter((path) => path !== 'up' && path !== 'b.yaml')).toEqual([]);
});

it.each<[name: string, links: Record<string, string>, switched: string]>([
  ['the content itself', { shown: 'content' }, 'shown'],
  ['a folder above it', { site: '.', 'site/shown': 'content' }, 'site'],
  ['a link that the content leads to', { shown: 'current', current: 'content' }, 'current'],
])('follows a link that is switched to another folder: %s (42)', async (_name, links, switched) => {
  const root = temporaryFolder();
  for (const folder of ['content', 'other', 'apart/content', 'apart/shown'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(root, link));
  const content = join(root, 'site' in links ? 'site/shown' : 'shown');
  const seen: string[] = [];
  const { close } = watchContent(content, (path) => seen.push(path));
  onTestFinished(close);
  const expectReport = async (path: string, act: () => void) => {
    seen.length = 0;
    act();
    await expect.poll(() => seen, { interval: 5 }).toContain(path);
  };
  const lead = (target: string) => {
    symlinkSync(target, join(root, 'new'));
    renameSync(join(root, 'new'), join(root, switched));
  };
  await expectReport('a.yaml', () => writeFileSync(join(content, 'a.yaml'), ''));
  const [to, back] = switched === 'site' ? ['apart', '.'] : ['other', 'content'];
  await expectReport('', () => lead(to));
  await expectReport('b.yaml', () => writeFileSync(join(content, 'b.yaml'), ''));
  await expectReport('', () => lead(back));
  await expectReport('c.yaml', () => writeFileSync(join(content, 'c.yaml'), ''));
});

it.runIf(process.platform === 'linux')('leaves no watch open after one that failed', async () => {
  const content = temporaryFolder();
  mkdirSync(join(content, 'a'));
  // Not UTF-8: Node.js reads another name, which does not exist.
  mkdirSync(Buffer.concat([Buffer.from(`${content}/b`), Buffer.from([0xff])]));
  const count = () => process.getActiveResourcesInfo().filter((one) => one === 'FSEventWrap').length;
  // Watches of earlier tests may still be closing.
  await sleep(50);
  const before = count();
  expect(() => watchContent(content, () => {})).toThrow('ENOENT');
  await expect.poll(count).toBeLessThanOrEqual(before);
});
