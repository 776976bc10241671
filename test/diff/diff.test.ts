/** `catalogue diff`: the published changes that follow from a change of the content. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffContent } from '../../src/diff/diff.ts';
import { COMMENT_MARK, codeSpan, markdownContentDiff } from '../../src/report/diff-markdown.ts';
import { prettyContentDiff } from '../../src/report/diff-pretty.ts';
import { createWorkspace, idOf, readTree, type Workspace } from '../compile/workspace.ts';
import { plain } from '../media/picture.ts';

const PLAIN = 'page_sizes: [2, 25]\ntargets: []\ndocs: false\nbulk: false\n';

function git(workspace: Workspace, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', workspace.root, ...identity, ...args], { encoding: 'utf8' });
}

/** A repository with three properties. */
function repository(): Workspace {
  const workspace = createWorkspace();
  workspace.configure(PLAIN);
  for (const n of [1, 2, 3]) workspace.add(n, { facilities: ['wifi', 'parking'], address: 'x'.repeat(200) });
  git(workspace, 'init', '-q');
  git(workspace, 'add', 'content');
  git(workspace, 'commit', '-qm', 'one');
  return workspace;
}

describe('a review', () => {
  it('lists added, removed and changed properties since a revision, and does not touch the repository', async () => {
    const workspace = repository();
    const { content } = workspace;
    git(workspace, 'add', '-A');
    const before = git(workspace, 'status', '--porcelain=v2');
    expect(await diffContent({ content, base: 'HEAD', jobs: 1 })).toMatchObject({
      added: [],
      removed: [],
      hidden: [],
      shown: [],
      changed: [],
      settings: [],
      files: { written: { details: 0, pages: 0, totals: 0, photos: 0 }, removed: 0 },
    });
    expect(git(workspace, 'status', '--porcelain=v2')).toBe(before);
    expect(git(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);

    workspace.add(1, {
      title: 'House One',
      facilities: ['wifi', 'pool'],
      address: `${'x'.repeat(180)}${'y'.repeat(20)}`,
      photo: [{ url: 'https://photos.example/a.jpg', description: 'The garden' }],
      hotel_policy: [{ policy_type: 'check_in', detail: 'From 15:00.' }],
      payment_method: [{ is_enabled: 'false', method_type: 'direct' }],
    });
    workspace.remove('house-2.yaml');
    workspace.add(4);
    workspace.configure(`${PLAIN}max_files: 1000\n`);
    const found = await diffContent({ content, base: 'HEAD', jobs: 1 });
    expect(found.added.map(({ id, path }) => [id, path])).toEqual([[idOf(4), 'house-4.yaml']]);
    expect(found.removed.map(({ title, path }) => [title, path])).toEqual([['House 2', 'house-2.yaml']]);
    expect(found.changed).toHaveLength(1);
    const changes = found.changed[0]!.changes.map(({ label, before, after }) => [label, before, after]);
    expect(changes).toEqual([
      ['Title', 'House 1', 'House One'],
      ['Address', expect.stringMatching(/^…x+$/), expect.stringMatching(/^…x+y{20}$/)],
      ['Facility', 'parking', 'pool'],
      ['Photo', undefined, 'The garden'],
      ['Policy', undefined, 'check_in: From 15:00.'],
      ['Payment method', undefined, 'direct, not accepted'],
    ]);
    expect(found.settings).toEqual(['max_files']);
  });

  it('names the address of the preview of the content (34.3)', async () => {
    const { content } = repository();
    const options = { content, base: 'HEAD', jobs: 1, preview: 'pr-12' };
    const found = await diffContent({ ...options, baseUrl: 'https://stays.example' });
    expect(found.settings).toEqual([]);
    expect(markdownContentDiff(found, { prefix: '' })).toContain(
      '\nPreview: <https://stays.example/_previews/pr-12/>\n',
    );
    expect(prettyContentDiff(found, '', false)).toContain(
      '\nPreview: https://stays.example/_previews/pr-12/\n',
    );
    await expect(diffContent({ ...options, preview: '../x' })).rejects.toMatchObject({
      code: 'preview-name',
    });
  });

  it('reports a property that becomes a draft, or whose time is over, as no longer shown (20.5)', async () => {
    const workspace = repository();
    const { content } = workspace;
    workspace.add(3, { live_from: '2027-04-01' });
    git(workspace, 'commit', '-qam', 'two');
    workspace.add(1, { draft: 'true' });
    workspace.add(2, { live_until: '2020-01-01' });
    workspace.add(3);
    workspace.add(4, { draft: 'true' });
    const found = await diffContent({ content, base: 'HEAD', asOf: new Date('2027-01-01'), jobs: 1 });
    expect(found).toMatchObject({
      added: [],
      removed: [],
      changed: [],
      hidden: [
        { title: 'House 1', path: 'house-1.yaml', reason: 'draft' },
        { title: 'House 2', path: 'house-2.yaml', reason: 'over' },
      ],
      shown: [{ title: 'House 3', path: 'house-3.yaml', reason: 'early' }],
    });
    const pretty = prettyContentDiff(found, '', false);
    expect(pretty).toContain('- House 1, Galway, IE  house-1.yaml: no longer shown, a draft\n');
    expect(pretty).toContain(
      '+ House 3, Galway, IE  house-3.yaml: shown from now on, was before its live_from\n',
    );
    const markdown = markdownContentDiff(found, { prefix: '' });
    expect(markdown).toContain(
      '0 properties added, 0 changed, 0 removed, 2 no longer shown, 1 shown from now on',
    );
    expect(markdown).toContain('| `IE` |  |  |  | 1 | 2 |');
    expect(markdown).toMatch(/\*\*No longer shown\*\* `House 2`.*: after its live_until/);
    // At another time the third property has no change to report.
    const later = await diffContent({ content, base: 'HEAD', asOf: new Date('2027-04-01'), jobs: 1 });
    expect(later.shown).toEqual([]);
  });

  it('counts the files that a build writes', async () => {
    const workspace = repository();
    await workspace.build();
    const before = readTree(workspace.public);
    workspace.add(2, { title: 'House 2b' });
    workspace.add(9, { country: 'FR', city: 'Paris' });
    const fromGit = await diffContent({ content: workspace.content, base: 'HEAD', jobs: 1 });
    const fromBuild = await diffContent({ content: workspace.content, base: workspace.out, jobs: 1 });
    expect(fromBuild.files).toEqual(fromGit.files);
    expect(fromBuild.changed.map(({ changes }) => changes)).toEqual(
      fromGit.changed.map(({ changes }) => changes),
    );
    await workspace.build();
    const after = readTree(workspace.public);
    const differing = (folder: string) =>
      [...after].filter(([key, text]) => key.startsWith(folder) && before.get(key) !== text).length;
    const { details, pages, totals } = fromGit.files.written;
    expect(details).toBe(differing('_catalogue/properties/'));
    expect(pages + totals).toBe(differing('_catalogue/pages/'));
  });

  it('names both releases as builds name them, unless files with errors are left out (B8)', async () => {
    const workspace = repository();
    const { content } = workspace;
    const nameOfBuild = async () => {
      await workspace.build();
      return (workspace.json('index.json') as { release: string }).release;
    };
    const before = await nameOfBuild();
    const same = await diffContent({ content, base: 'HEAD', jobs: 1 });
    expect(same.releases).toEqual({ before, after: before });
    expect(prettyContentDiff(same, '', false)).toMatch(`\nRelease ${before}, as before.\n`);
    workspace.add(2, { title: 'House 2b' });
    const fromBuild = await diffContent({ content, base: workspace.out, jobs: 1 });
    const fromGit = await diffContent({ content, base: 'HEAD', jobs: 1 });
    const after = await nameOfBuild();
    expect([fromBuild.releases, fromGit.releases]).toEqual(Array(2).fill({ before, after }));
    expect(prettyContentDiff(fromGit, '', false)).toMatch(`\nRelease ${before} becomes ${after}.\n`);
    expect(markdownContentDiff(fromGit, { prefix: '' })).toMatch(
      `\nRelease \`${before}\` becomes \`${after}\`.\n`,
    );
    workspace.add(3, { country: 'Ireland' });
    const broken = await diffContent({ content, base: 'HEAD', jobs: 1 });
    expect(broken.releases).toEqual({ before, after: null });
    expect(prettyContentDiff(broken, '', false)).not.toContain('Release');
  });

  it('reports first that a file with an error cannot be compared, and never calls it "removed" (E1)', async () => {
    const workspace = repository();
    const { content } = workspace;
    await workspace.build();
    // An error, one in a file of another name, a file that YAML cannot read, a removed one, and a new one.
    workspace.add(1, { country: 'Ireland' });
    workspace.remove('house-2.yaml');
    workspace.add(2, { latitude: 'x' }, 'moved/house.yaml');
    workspace.write('house-3.yaml', 'title: "House\n');
    workspace.add(4, { country: 'Ireland' });
    const houses = [1, 2, 3].map((n) => ({ id: idOf(n), title: `House ${n}` }));
    const paths = ['house-1.yaml', 'house-3.yaml', 'house-4.yaml', 'moved/house.yaml'];
    for (const base of ['HEAD', workspace.out]) {
      const found = await diffContent({ content, base, jobs: 1 });
      expect(found).toMatchObject({ added: [], changed: [], removed: [] });
      expect(found.files).toMatchObject({
        written: { details: 0, pages: 0, totals: 0, photos: 0 },
        removed: 0,
      });
      expect(found.incomparable.map(({ path }) => path)).toEqual(paths);
      expect(found.incomparable[0]!.properties).toMatchObject([houses[0]]);
      // A build cannot match this file, which lacks an id, to a property: it may belong to any.
      expect(found.incomparable[1]!.properties).toMatchObject(base === 'HEAD' ? [houses[2]] : houses);
      expect(found.incomparable[2]!.properties).toEqual([]);
      expect(found.incomparable[3]).toMatchObject({ side: 'content', properties: [houses[1]] });
    }
    const found = await diffContent({ content, base: 'HEAD', jobs: 1 });
    const pretty = prettyContentDiff(found, 'content/', false);
    expect(pretty.split('\n')[0]).toBe(
      '! Cannot be compared: content/house-1.yaml has errors (House 1, Galway)',
    );
    expect(pretty).toContain('\nNothing else that is published changes.\n0 files to publish');
    const [, heading, , first] = markdownContentDiff(found, { prefix: 'content/' }).split('\n');
    expect(heading).toBe('### Catalogue: 4 files cannot be compared; nothing else that is published changes');
    expect(first).toBe('- **Cannot be compared** `content/house-1.yaml` has errors (`House 1`, `Galway`)');
    for (const text of [pretty, markdownContentDiff(found, { prefix: 'content/' })])
      expect(text).not.toMatch(/removed/i);
  });

  it('reports the same for a file that had an error before (E1)', async () => {
    const workspace = repository();
    const { content } = workspace;
    workspace.add(1, { country: 'Ireland' });
    git(workspace, 'commit', '-qam', 'two');
    workspace.add(1);
    const found = await diffContent({ content, base: 'HEAD', jobs: 1 });
    expect(found).toMatchObject({
      added: [],
      incomparable: [{ path: 'house-1.yaml', side: 'base', properties: [{ id: idOf(1) }] }],
      files: { written: { details: 0, pages: 0, totals: 0, photos: 0 }, removed: 0 },
    });
    expect(prettyContentDiff(found, '', false)).toMatch(
      /^! Cannot be compared: house-1\.yaml has errors in HEAD /,
    );
  });

  it('refuses a revision that it cannot compare with', async () => {
    const workspace = repository();
    const { content } = workspace;
    await expect(diffContent({ content, base: 'nowhere', jobs: 1 })).rejects.toMatchObject({
      code: 'no-revision',
    });
    await expect(diffContent({ content, base: '--output=x', jobs: 1 })).rejects.toMatchObject({
      code: 'no-revision',
    });
    workspace.configure('page_sizes: none\n');
    await expect(diffContent({ content, base: 'HEAD', jobs: 1 })).rejects.toMatchObject({
      code: 'invalid-configuration',
    });
  });
});

describe('Markdown', () => {
  /** The text of code spans, by the rule of CommonMark 6.1, and what stands outside of them. */
  function spansOf(line: string): { inside: string[]; outside: string } {
    const inside: string[] = [];
    let outside = '';
    for (let at = 0; at < line.length; ) {
      const [fence = ''] = /^`+/.exec(line.slice(at)) ?? [];
      if (fence === '') {
        outside += line[at++];
        continue;
      }
      const rest = line.slice(at + fence.length);
      const end = [...rest.matchAll(/`+/g)].find(([run]) => run.length === fence.length);
      if (!end) {
        outside += fence;
        at += fence.length;
        continue;
      }
      inside.push(rest.slice(0, end.index));
      at += 2 * fence.length + end.index;
    }
    return { inside, outside };
  }

  it('puts every value into a code span, whatever it contains', () => {
    const nasty = fc
      .array(
        fc.constantFrom('`', '``', '@everyone', '<img src=x>', '|', '[a](b)', '\n# x', '-->', ' ', 'é', '\\'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(nasty, (value) => {
        const line = `a ${codeSpan(value)} b`;
        expect(line).not.toContain('\n');
        const { inside, outside } = spansOf(line);
        const isEmpty = value.trim() === '';
        expect(outside).toBe(isEmpty ? 'a *empty* b' : 'a  b');
        expect(inside.map((span) => span.trim())).toEqual(
          isEmpty ? [] : [value.replaceAll('\n', '\\n').trim()],
        );
      }),
    );
  });

  it('is marked, fits into a comment, and names what it leaves out', () => {
    const named = { id: idOf(1), title: 'x'.repeat(100), city: 'Cork', country: 'IE', path: 'a.yaml' };
    const all = {
      base: 'HEAD',
      releases: { before: 'a'.repeat(32), after: 'b'.repeat(32) },
      added: Array.from({ length: 2000 }, () => named),
      removed: [],
      hidden: [],
      shown: [],
      changed: [],
      settings: ['base_url'],
      files: { written: { details: 2000, pages: 1, totals: 1, photos: 0 }, removed: 0 },
      incomparable: [],
    };
    const text = markdownContentDiff(all, { prefix: 'content/' });
    expect(text.startsWith(`${COMMENT_MARK}\n`)).toBe(true);
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/- and [\d,]+ more/);
    expect(text).toContain('2,000 properties added, 0 changed, 0 removed');
    expect(prettyContentDiff(all, 'content/', false)).toContain('... and 1,800 more');
  });

  it('counts by country, shows photos, and folds long lists (G)', () => {
    const named = (number: number, country: string, photo?: string) => ({
      id: idOf(number),
      title: `House ${number}`,
      city: 'Cork',
      country,
      path: `properties/${number}.yaml`,
      ...(photo === undefined ? {} : { photo }),
    });
    const files = { written: { details: 0, pages: 0, totals: 0, photos: 0 }, removed: 0 };
    const found = {
      base: 'HEAD',
      added: Array.from({ length: 11 }, (_, number) => named(number, number < 4 ? 'IE' : 'FR')),
      removed: [named(20, 'IE', 'gone.jpg')],
      hidden: [],
      shown: [],
      changed: [
        { ...named(30, 'IE', 'photos/a "b".jpg'), changes: [] },
        { ...named(31, 'IE', 'https://photos.example/x.jpg?a=1&b=2'), changes: [] },
      ],
      settings: [],
      files,
      releases: { before: null, after: null },
      incomparable: [],
    };
    const text = markdownContentDiff(found, { prefix: 'content/', photos: 'https://host.example/raw/abc/' });
    expect(text).toContain(
      '| `FR` | 7 |  |  |\n| `IE` | 4 | 2 | 1 |\n\n<details><summary>Added: 11</summary>\n\n- **Added**',
    );
    expect(text).toContain(
      '<img src="https://host.example/raw/abc/content/photos/a%20%22b%22.jpg" width="160" alt="">',
    );
    expect(text).toContain('<img src="https://photos.example/x.jpg?a=1&amp;b=2" width="160" alt="">');
    expect(text.match(/<img/g)).toHaveLength(2);
    expect(markdownContentDiff(found, { prefix: 'content/' })).not.toContain('<img');
    const one = markdownContentDiff({ ...found, added: [], changed: [] }, { prefix: '' });
    expect(one).not.toMatch(/\| Country|<details>/);
  });

  it('shows the first photo, by position, of each added or changed property (G)', async () => {
    const workspace = repository();
    mkdirSync(join(workspace.content, 'photos'));
    writeFileSync(join(workspace.content, 'photos/b.jpg'), await plain(40, 30, '#123456').jpeg().toBuffer());
    const { content } = workspace;
    const remote = { url: 'https://photos.example/a.jpg', position: 2 };
    workspace.add(1, { title: 'Other', photo: [remote, { file: 'photos/b.jpg', position: 1 }] });
    workspace.add(4, { photo: [remote] });
    const { added, changed } = await diffContent({ content, base: 'HEAD', jobs: 1 });
    expect(added).toMatchObject([{ photo: 'https://photos.example/a.jpg' }]);
    expect(changed).toMatchObject([{ photo: 'photos/b.jpg' }]);
  });
});
