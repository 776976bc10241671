/** The name of a release in a review is the one that a build gives (D3). */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffContent } from '../../src/diff/diff.ts';
import { createWorkspace, type Workspace } from '../compile/workspace.ts';
import { plain } from '../media/picture.ts';

function commit({ root }: Workspace): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'one', '--allow-empty'],
  ])
    execFileSync('git', ['-C', root, ...identity, ...args]);
}

/** Settings, any of which may be absent. */
const settings = fc
  .record(
    {
      title: fc.constantFrom('Stays', 'Séjours'),
      logo: fc.constantFrom('logo.png', 'photos/logo.jpg'),
      base_url: fc.constantFrom('https://stays.example', 'https://stays.example/api'),
      media_base_url: fc.constant('https://media.example'),
      page_sizes: fc.constantFrom([25], [25, 100]),
      layout: fc.constantFrom('pages', 'packed'),
      api_keys: fc.constant(['a'.repeat(64)]),
      explorer: fc.record({ enabled: fc.boolean() }),
      photo: fc.record({ quality: fc.integer({ min: 50, max: 90 }) }),
      thumbnail: fc.record({ width: fc.integer({ min: 100, max: 300 }) }),
      docs: fc.boolean(),
      bulk: fc.constantFrom(true, false, 'whole'),
      max_files: fc.constant(100_000),
      accent: fc.constant('#336699'),
      exclude: fc.constant(['house-2.yaml']),
    },
    { requiredKeys: [] },
  )
  .map((chosen) => ({ page_sizes: [25], docs: false, bulk: false, ...chosen, targets: [] }));

const options = fc.record(
  {
    baseUrl: fc.constantFrom('https://other.example', 'https://other.example/x/'),
    layout: fc.constantFrom('pages' as const, 'packed' as const),
    asOf: fc.constantFrom(new Date('2026-01-01'), new Date('2028-01-01')),
  },
  { requiredKeys: [] },
);

it('is the same for all settings and options', async () => {
  const workspace = createWorkspace();
  workspace.write('logo.png', await plain(8, 8, '#112233').png().toBuffer());
  workspace.write('photos/logo.jpg', await plain(9, 9, '#445566').jpeg().toBuffer());
  workspace.add(1, { photo: [{ file: 'photos/logo.jpg' }] });
  workspace.add(2, { city: 'Cork', live_from: '2027-01-01' });
  await fc.assert(
    fc.asyncProperty(settings, options, async (chosen, given) => {
      workspace.configure(JSON.stringify(chosen));
      commit(workspace);
      const { content } = workspace;
      const { release } = await workspace.build(given);
      const { releases } = await diffContent({ content, base: 'HEAD', jobs: 1, ...given });
      expect(releases).toEqual({ before: release, after: release });
    }),
    { numRuns: 15 },
  );
});

it('is missing where the configuration or its logo has errors', async () => {
  const workspace = createWorkspace();
  workspace.add(1);
  commit(workspace);
  workspace.configure('logo: nothing.png\n');
  await expect(diffContent({ content: workspace.content, base: 'HEAD', jobs: 1 })).rejects.toMatchObject({
    code: 'invalid-configuration',
  });
});
