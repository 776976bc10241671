/** Sending records, and looking for those of colleagues, with bare repositories on the disk and places that do not answer. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesResponse } from '../../../src/dev/git/changes-response.ts';
import { mergeUpstream } from '../../../src/dev/git/merge-upstream.ts';
import { pullRequestUrl } from '../../../src/dev/git/pull-request-url.ts';
import { fetchUpstream, pushBranch, remoteResponse } from '../../../src/dev/git/remote.ts';
import { revertChanges } from '../../../src/dev/git/revert-changes.ts';
import { switchBranch } from '../../../src/dev/git/switch-branch.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { propertyText } from '../../source/property-text.ts';
import { serveLoopback } from '../../support/loopback.ts';
import { contextOf } from '../context-of.ts';
import { twoColleagues } from './colleagues.ts';
import { run } from './repository.ts';

const FILES = { 'a.yaml': 'title: A\ncity: Cork\n', 'b.yaml': 'title: B\n' };

function refuseAt(shared: string, script: string): void {
  mkdirSync(join(shared, 'hooks'), { recursive: true });
  writeFileSync(join(shared, 'hooks/pre-receive'), `#!/bin/sh\n${script}\nexit 1\n`);
  chmodSync(join(shared, 'hooks/pre-receive'), 0o755);
}

it('counts what is not sent and what is newer, sends and gets', async () => {
  const { ada, ben, shared } = twoColleagues(FILES);
  expect(await remoteResponse(ada.context)).toMatchObject({
    branch: 'main',
    main: 'main',
    remote: 'origin',
    unsent: 0,
    newer: 0,
    mergeRequestUrl: null,
  });
  ada.write('a.yaml', 'title: Ada\ncity: Cork\n');
  ada.record();
  ben.write('b.yaml', 'title: Ben\n');
  ben.record();
  ben.record();
  ben.git('push', '--quiet');
  expect(await fetchUpstream(ada.context)).toMatchObject({ unsent: 1, newer: 2, problem: null });
  await expect(pushBranch(ada.context)).rejects.toThrow(/newer changes\. Get them first/);
  await mergeUpstream(ada.context, { mark: '', choices: {} });
  expect(await pushBranch(ada.context)).toMatchObject({ unsent: 0, newer: 0 });
  expect(run(shared, 'show', 'main:content/a.yaml')).toContain('Ada');
  expect(run(shared, 'show', 'main:content/b.yaml')).toContain('Ben');
});

it('says who changed what, by title, before it is here', async () => {
  const { ada, ben } = twoColleagues(FILES);
  ben.write('a.yaml', 'title: A\ncity: Galway\n');
  ben.write('c.yaml', 'title: C\n');
  ben.record();
  ben.git('rm', '--quiet', 'content/b.yaml');
  ben.record();
  ben.git('push', '--quiet');
  const { newerSummaries } = await fetchUpstream(ada.context);
  expect(newerSummaries).toEqual(['ben: changed A; removed B; added C.']);
  await mergeUpstream(ada.context, { mark: '', choices: {} });
  expect((await remoteResponse(ada.context)).newerSummaries).toEqual([]);
});

it('says what a place says that refuses, on one line', async () => {
  const { ada, shared } = twoColleagues(FILES);
  ada.write('a.yaml', 'title: Ada\n');
  ada.record();
  const head = ada.git('rev-parse', 'HEAD');
  refuseAt(shared, 'echo "Closed on Fridays." >&2; echo "Ask Eve." >&2');
  await expect(pushBranch(ada.context)).rejects.toThrow(/and says: Closed on Fridays\. Ask Eve\.$/);
  refuseAt(shared, 'echo "error: GH006: Protected branch update failed" >&2');
  await expect(pushBranch(ada.context)).rejects.toThrow(/takes no changes directly.*Keep apart/);
  writeFileSync(join(ada.root, '.git/hooks/pre-push'), '#!/bin/sh\necho "Spell it right" >&2\nexit 1\n', {
    mode: 0o755,
  });
  await expect(pushBranch(ada.context)).rejects.toThrow(
    /checks of this catalogue refuse, and say: Spell it right/,
  );
  expect(ada.git('rev-parse', 'HEAD')).toBe(head);
  expect((await remoteResponse(ada.context)).unsent).toBe(1);
});

describe('a place that does not answer', () => {
  it('is waited for no longer than allowed, and its pre-push hook neither', async () => {
    const { ada } = twoColleagues(FILES);
    const silent = await serveLoopback(() => {});
    ada.git('remote', 'set-url', 'origin', `${silent}/shared.git`);
    const context = contextOf(ada.content, 1500);
    const started = performance.now();
    expect((await fetchUpstream(context)).problem).toMatch(/does not answer\. Nothing is lost/);
    await expect(pushBranch(context)).rejects.toThrow(/does not answer\. Nothing is lost/);
    // Without a limit of its own, git is waited for two minutes.
    expect(performance.now() - started).toBeLessThan(110_000);
  });

  it('or is gone, or wants a password, has a sentence of its own', async () => {
    const { ada } = twoColleagues(FILES);
    const locked = await serveLoopback((_request, response) => {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
    });
    for (const [url, words] of [
      [`${locked}/shared.git`, /does not know you/],
      ['http://127.0.0.1:1/shared.git', /does not answer/],
      [join(ada.root, 'nothing.git'), /is not there any more/],
    ] as const) {
      ada.git('remote', 'set-url', 'origin', url);
      ada.git('config', 'credential.helper', '');
      expect((await fetchUpstream(ada.context)).problem).toMatch(words);
      await expect(pushBranch(ada.context)).rejects.toThrow(words);
    }
  });

  it('is none: records stay here', async () => {
    const { ada } = twoColleagues(FILES);
    ada.git('remote', 'remove', 'origin');
    expect(await fetchUpstream(ada.context)).toMatchObject({ remote: null, problem: null, unsent: 0 });
    await expect(pushBranch(ada.context)).rejects.toThrow(/git remote add/);
  });
});

it('sends a branch that is kept apart, and leads back with what is saved', async () => {
  const { ada, shared } = twoColleagues(FILES);
  ada.git('switch', '--quiet', '--create', 'spring');
  ada.write('a.yaml', 'title: Spring\ncity: Cork\n');
  ada.record();
  ada.write('b.yaml', 'title: Saved\n');
  expect(await remoteResponse(ada.context)).toMatchObject({ branch: 'spring', main: 'main', unsent: 1 });
  expect(await pushBranch(ada.context)).toMatchObject({ unsent: 0 });
  expect(run(shared, 'show', 'spring:content/a.yaml')).toContain('Spring');
  expect(await switchBranch(ada.context, { branch: 'main' })).toMatchObject({
    branch: 'main',
    unmergedBranches: ['spring'],
  });
  expect([ada.read('a.yaml'), ada.read('b.yaml')]).toEqual([FILES['a.yaml'], 'title: Saved\n']);
  ada.write('a.yaml', 'title: Mine\n');
  await expect(switchBranch(ada.context, { branch: 'spring' })).rejects.toThrow(
    /Record it or take it back first/,
  );
  await expect(switchBranch(ada.context, { branch: '--detach' })).rejects.toThrow(/There is no --detach/);
  expect(ada.read('a.yaml')).toBe('title: Mine\n');
});

it('takes back fields, a file, a removal, and nothing that changed since', async () => {
  const { ada } = twoColleagues(FILES);
  const version = () => digestOf(ada.read('a.yaml'));
  ada.write('a.yaml', 'title: Mine\ncity: Galway # by me\n');
  await expect(revertChanges(ada.context, { path: 'a.yaml', version: 'x' })).rejects.toThrow(
    /changed meanwhile/,
  );
  await revertChanges(ada.context, { path: 'a.yaml', version: version(), fields: ['title'] });
  expect(ada.read('a.yaml')).toBe('title: A\ncity: Galway # by me\n');
  await revertChanges(ada.context, { path: 'a.yaml', version: version() });
  expect(ada.read('a.yaml')).toBe(FILES['a.yaml']);
  ada.remove('a.yaml');
  await revertChanges(ada.context, { path: 'a.yaml', version: '' });
  expect(ada.git('status', '--porcelain')).toBe('');
  ada.write('new.yaml', 'title: New\n');
  await revertChanges(ada.context, { path: 'new.yaml', version: digestOf('title: New\n') });
  expect(ada.git('status', '--porcelain')).toBe('');
  expect(ada.context.undoable.get('new.yaml')).toHaveLength(1);
});

it('takes back declared fields and translations, by the names in the list of changes', async () => {
  const own = 'bedrooms: 9\ndescription: Quiet.\ntitle@fr: Maison\n';
  const file = propertyText({}, own);
  const settings = 'language: en\nlanguages: [en, fr]\nfields: { bedrooms: {}, description: {} }\n';
  const { ada } = twoColleagues({ 'catalogue.yaml': settings, 'a.yaml': file });
  const edited = file
    .replace('bedrooms: 9', 'bedrooms: 99')
    .replace('Maison', 'Château')
    .replace('Quiet', 'Loud');
  ada.write('a.yaml', edited);
  const listed = async () => (await changesResponse(ada.context)).files[0]!.fields.map(({ field }) => field);
  expect(await listed()).toEqual(['bedrooms', 'description', 'title@fr']);
  for (const field of await listed())
    await revertChanges(ada.context, {
      path: 'a.yaml',
      version: digestOf(ada.read('a.yaml')),
      fields: [field],
    });
  expect(ada.read('a.yaml')).toBe(file);
});

it.each([
  ['https://github.com/ada/stays.git', 'https://github.com/ada/stays/compare/main...a/b%23c?expand=1'],
  ['git@github.com:ada/stays.git', 'https://github.com/ada/stays/compare/main...a/b%23c?expand=1'],
  ['ssh://git@ssh.github.com:443/ada/stays', 'https://github.com/ada/stays/compare/main...a/b%23c?expand=1'],
  [
    'https://token@gitlab.com/group/sub/stays.git',
    'https://gitlab.com/group/sub/stays/-/merge_requests/new?merge_request%5Bsource_branch%5D=a%2Fb%23c',
  ],
  [
    'git@gitlab.example.org:stays.git',
    'https://gitlab.example.org/stays/-/merge_requests/new?merge_request%5Bsource_branch%5D=a%2Fb%23c',
  ],
  ['/srv/git/stays.git', null],
  ['https://notgithub.com/ada/stays', null],
])('the address of a request for %s', (url, address) => {
  expect(pullRequestUrl(url, 'a/b#c', 'main')).toBe(address);
});
