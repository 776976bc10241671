import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { pathFilter } from '../../src/commands/path-filter.ts';
import { check } from '../../src/compile/check.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { formatContent } from '../../src/editing/format-content.ts';
import { repairContent } from '../../src/editing/repair-content.ts';
import { createWorkspace } from './workspace.ts';

function withDrafts() {
  const workspace = createWorkspace();
  workspace.add(1);
  workspace.write('drafts/b.yaml', 'title: x\n');
  workspace.write('drafts/c.yaml', 'title: " x"\n');
  return workspace;
}

it('patterns exclude files from the check, the build, repairs and formatting', async () => {
  const workspace = withDrafts();
  const { content, out } = workspace;
  const settings = 'page_sizes: [25]\n';
  workspace.configure(settings);
  expect((await check({ content, out, jobs: 1 })).files).toBe(3);
  expect((await workspace.build()).outcome).toBe('refused');

  workspace.configure(`${settings}exclude: ["drafts/**"]\n`);
  expect(await check({ content, out, jobs: 1 })).toMatchObject({ files: 1, diagnostics: [] });
  expect(await workspace.build()).toMatchObject({ outcome: 'published', counts: { properties: 1 } });
  // A draft that changes does not concern the build.
  writeFileSync(join(content, 'drafts/b.yaml'), 'title: [\n');
  expect((await workspace.build()).outcome).toBe('unchanged');
  expect(repairContent({ content })).toEqual([]);
  expect(formatContent({ content, check: true })).toMatchObject({ files: 1, diagnostics: [] });

  workspace.configure(`${settings}include: ["nowhere/**", "drafts/*.yaml"]\n`);
  expect((await check({ content, out, jobs: 1 })).files).toBe(2);
});

it.each(['/etc/**', '../*.yaml', 'a/../../b', '!a.yaml', 'a\\b', ''])('refuses the pattern %j', (pattern) => {
  expect(configurationSchema.safeParse({ include: [pattern] }).success).toBe(false);
  expect(configurationSchema.safeParse({ exclude: [pattern] }).success).toBe(false);
});

it('glob patterns are accepted as arguments of commands', () => {
  const { content } = withDrafts();
  const at = (path: string) => relative(process.cwd(), join(content, path));
  const isWanted = pathFilter([at('drafts/*.yaml')], content)!;
  expect(['drafts/b.yaml', 'drafts/c.yaml', 'drafts', 'house-1.yaml'].filter(isWanted)).toEqual([
    'drafts/b.yaml',
    'drafts/c.yaml',
  ]);
  expect(['drafts/b.yaml', 'house-1.yaml'].filter(pathFilter([at('d*')], content)!)).toEqual([
    'drafts/b.yaml',
  ]);
  expect(() => pathFilter([at('x*.yaml')], content)).toThrow('Nothing matches');
  expect(() => pathFilter([at('x.yaml')], content)).toThrow('There is no');
});
