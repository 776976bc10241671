/** The walks through the code name existing functions (17.10). */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const SOURCE = new URL('../../src/', import.meta.url);
const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
const code = (readdirSync(SOURCE, { recursive: true }) as string[])
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, SOURCE), 'utf8'))
  .join('\n');

describe.each([
  'A file on its way through a build',
  'A release on its way to a bucket',
  'A request on its way through a target',
  'A save on its way through an editing session',
])('%s', (title) => {
  const [, walk = ''] = page.split(`## ${title}\n`);
  const names = [...walk.split('\n## ')[0]!.matchAll(/`([A-Za-z]\w+)`/g)].map(([, name]) => name!);

  it('names functions of the source', () => {
    expect(names.length).toBeGreaterThan(4);
    for (const name of names)
      expect(new RegExp(`(?:function\\*?|const|readonly) ${name}\\b`).test(code), name).toBe(true);
  });
});
