/** Two people change the same catalogue: merges by field, compared with an oracle, and merges that fail or are killed. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { mergeUpstream, recoverMerge } from '../../../src/dev/git/merge-upstream.ts';
import { setFields } from '../../../src/editing/set-fields.ts';
import type { ConflictSide } from '../../../src/editor/git-remote.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { randomOf } from '../../editor/random.ts';
import { type Person, receiveAll, stateOf, twoColleagues } from './colleagues.ts';

const house = (number: number, more = '') => `# Kept by Ben.
id: 00000000-0000-4000-8000-00000000000${number}
title: House ${number}   # as on the sign
currency: EUR
email: stay@rose.example
phone: +353 1 605 7700

city: Galway
country: IE
latitude: 53.27194
longitude: -9.04889
${more}`;

const NAMES = Array.from({ length: 4 }, (_, number) => `properties/ie/house-${number + 1}.yaml`);
const FILES = Object.fromEntries(NAMES.map((name, place) => [name, house(place + 1)]));
const FIELDS = ['title', 'email', 'phone', 'city', 'zip_code'];

type Values = Readonly<Record<string, unknown>>;
type Catalogue = Readonly<Record<string, Values | undefined>>;

function setField({ read, write }: Person, path: string, field: string, value: string | null): void {
  const edited = setFields(read(path), { [field]: value });
  if ('refused' in edited) throw new Error(edited.message);
  write(path, edited.text);
}

const catalogueOf = (person: Person): Catalogue =>
  Object.fromEntries(
    Object.keys(person.files())
      .filter((path) => path.endsWith('.yaml'))
      .map((path) => [path, person.values(path)]),
  );

/** Field by field, written apart from the program: what both sides have afterwards. */
function merged(
  stage: string,
  base: Catalogue,
  yours: Catalogue,
  theirs: Catalogue,
  choices: ReadonlyMap<string, ConflictSide>,
): Catalogue {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const pick = (path: string, field: string | null) => choices.get(JSON.stringify([stage, path, field]));
  const result: Record<string, Values | undefined> = {};
  for (const path of new Set([...Object.keys(base), ...Object.keys(yours), ...Object.keys(theirs)])) {
    const [before, one, other] = [base[path], yours[path], theirs[path]];
    if (same(one, other) || same(other, before)) result[path] = one;
    else if (same(one, before)) result[path] = other;
    else if (!one || !other) result[path] = pick(path, null) === 'yours' ? one : other;
    else {
      const values: Record<string, unknown> = {};
      for (const field of new Set([...Object.keys(one), ...Object.keys(other)])) {
        const [b, y, t] = [before?.[field], one[field], other[field]];
        const value = same(y, t) || same(t, b) ? y : same(y, b) ? t : pick(path, field) === 'yours' ? y : t;
        if (value !== undefined) values[field] = value;
      }
      result[path] = values;
    }
  }
  return Object.fromEntries(Object.entries(result).filter(([, values]) => values !== undefined));
}

const sorted = (catalogue: Catalogue) =>
  Object.fromEntries(
    Object.entries(catalogue).map(([path, values]) => [
      path,
      Object.fromEntries(Object.entries(values ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))),
    ]),
  );

describe('changes of two people', () => {
  const seeds = Array.from({ length: 40 }, (_, number) => Number(process.env.SEED ?? 1) * 1000 + number);
  it.each(seeds)('are merged by field as the oracle says: seed %i', async (seed) => {
    const random = randomOf(seed);
    const { ada, ben } = twoColleagues(FILES);
    let made = 0;
    const edit = (person: Person) => {
      const present = NAMES.filter((path) => existsSync(join(person.content, path)));
      const path = random.one(present);
      if (random.is(0.1) && present.length > 1) person.remove(path);
      else if (random.is(0.1))
        person.write(`properties/ie/new-${random.below(2)}.yaml`, house(8, `state: S${made++}\n`));
      else {
        const field = random.one(FIELDS);
        setField(
          person,
          path,
          field,
          field === 'zip_code' && random.is(0.3) ? null : `${field} ${random.below(3)}`,
        );
      }
    };
    const edits = (person: Person, count: number) => {
      for (let step = 0; step < count; step++) edit(person);
    };
    const base = catalogueOf(ada);
    edits(ben, 1 + random.below(5));
    ben.record();
    ben.git('push', '--quiet');
    if (random.is(0.6)) {
      edits(ada, 1 + random.below(4));
      ada.record();
    }
    const recorded = catalogueOf(ada);
    edits(ada, random.below(5));
    const saved = catalogueOf(ada);
    const [heads, theirs] = [[ada, ben].map(({ git }) => git('rev-parse', 'HEAD').trim()), catalogueOf(ben)];
    ada.git('fetch', '--quiet');
    const choices = await receiveAll(ada, () => random.one(['yours', 'theirs']));
    const together = merged('recorded', base, recorded, theirs, choices);
    const expected = merged('saved', recorded, saved, together, choices);
    expect(sorted(catalogueOf(ada))).toEqual(sorted(expected));
    for (const head of heads) ada.git('merge-base', '--is-ancestor', head, 'HEAD');
    // The record has what both recorded; what was only saved is still to be recorded.
    ada.git('stash', '--include-untracked', '--quiet');
    expect(sorted(catalogueOf(ada))).toEqual(sorted(together));
    expect(ada.git('fsck', '--no-dangling')).toBe('');
  });
});

/** Ada and Ben have recorded different properties, and Ada has saved something that is not recorded. */
function apart() {
  const people = twoColleagues({ ...FILES, 'photos/a.jpg': 'a', 'old.yaml': house(7) });
  const { ada, ben } = people;
  setField(ben, NAMES[0]!, 'title', 'From Ben');
  ben.write('photos/b.jpg', Buffer.alloc(100_000, 7));
  ben.write('new/folder/house.yaml', house(9));
  ben.remove('old.yaml');
  ben.record();
  ben.git('push', '--quiet');
  setField(ada, NAMES[1]!, 'title', 'From Ada');
  ada.record();
  setField(ada, NAMES[0]!, 'phone', '+353 1 605 7799');
  ada.write('unfinished.yaml', house(6));
  ada.git('add', 'content/unfinished.yaml');
  ada.git('fetch', '--quiet');
  return people;
}

const NONE = { mark: '', choices: {} };

function addHook({ root }: Person, name: string, script: string): void {
  const file = join(root, '.git/hooks', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

it('leaves everything as it was when a check refuses, and runs each hook as git does', async () => {
  const { ada } = apart();
  const before = stateOf(ada);
  addHook(ada, 'pre-merge-commit', 'git diff --cached --name-only >&2; echo "Not on Fridays" >&2; exit 1');
  await expect(mergeUpstream(ada.context, NONE)).rejects.toThrow(
    /Nothing was changed.*new\/folder.*Not on Fridays/,
  );
  expect(stateOf(ada)).toEqual(before);
  addHook(ada, 'pre-merge-commit', 'exit 0');
  addHook(ada, 'commit-msg', 'echo "Number: 7" >> "$1"');
  addHook(ada, 'post-merge', 'echo done > "$(git rev-parse --git-dir)/merged"');
  expect((await mergeUpstream(ada.context, NONE)).conflicts).toEqual([]);
  expect(ada.git('log', '-1', '--format=%B')).toBe('Merge the changes of origin/main\nNumber: 7\n\n');
  expect(existsSync(join(ada.root, '.git/merged'))).toBe(true);
  expect(ada.read(NAMES[0]!)).toBe(house(1).replace('House 1', 'From Ben').replace('7700', '7799'));
  expect(existsSync(join(ada.content, 'old.yaml'))).toBe(false);
  expect(ada.git('status', '--porcelain')).toBe(` M content/${NAMES[0]}\nA  content/unfinished.yaml\n`);
  expect((await mergeUpstream(ada.context, NONE)).conflicts).toEqual([]);
});

it('signs as git does, and refuses whole when that fails', async () => {
  const { ada } = apart();
  const signer = join(ada.root, '.git/signer');
  ada.git('config', 'commit.gpgsign', 'true');
  ada.git('config', 'gpg.program', signer);
  writeFileSync(signer, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const before = stateOf(ada);
  await expect(mergeUpstream(ada.context, NONE)).rejects.toThrow(/signed, and that failed/);
  expect(stateOf(ada)).toEqual(before);
  const signed = '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n';
  writeFileSync(
    signer,
    `#!/bin/sh\ncat > /dev/null\nprintf '\\n[GNUPG:] SIG_CREATED ' >&2\nprintf '%b' '${signed}'\n`,
  );
  await mergeUpstream(ada.context, NONE);
  expect(ada.git('cat-file', 'commit', 'HEAD')).toContain('BEGIN PGP SIGNATURE');
});

it('writes files as filters of the repository want them', async () => {
  const { ada, ben } = apart();
  for (const { git } of [ada, ben]) {
    git('config', 'filter.upper.clean', 'tr a-z A-Z');
    git('config', 'filter.upper.smudge', 'tr A-Z a-z');
  }
  writeFileSync(join(ada.root, '.git/info/attributes'), '*.big filter=upper\n*.yaml text eol=crlf\n');
  writeFileSync(join(ben.root, '.git/info/attributes'), '*.big filter=upper\n');
  ben.write('photos/c.big', 'abc');
  ben.record();
  ben.git('push', '--quiet');
  ada.git('fetch', '--quiet');
  await mergeUpstream(ada.context, NONE);
  expect(ada.read('photos/c.big')).toBe('abc');
  expect(ada.read('new/folder/house.yaml')).toBe(house(9).replaceAll('\n', '\r\n'));
  expect(ada.git('show', 'HEAD:content/photos/c.big')).toBe('ABC');
  expect(ada.git('status', '--porcelain')).not.toContain('c.big');
});

it('changes nothing while another program records, or a merge is unfinished', async () => {
  const { ada } = apart();
  writeFileSync(join(ada.root, '.git/index.lock'), '');
  const files = ada.files();
  await expect(mergeUpstream(ada.context, NONE)).rejects.toThrow(/Another program is recording/);
  expect(ada.files()).toEqual(files);
  expect(existsSync(join(ada.root, '.git/index.lock'))).toBe(true);
});

it('asks again when a file changed after the question', async () => {
  const { ada, ben } = apart();
  setField(ben, NAMES[2]!, 'title', 'Ben');
  ben.record();
  ben.git('push', '--quiet');
  setField(ada, NAMES[2]!, 'title', 'Ada');
  ada.git('fetch', '--quiet');
  const asked = await mergeUpstream(ada.context, NONE);
  expect(asked.conflicts).toMatchObject([{ path: NAMES[2], field: 'title', yours: 'Ada', theirs: 'Ben' }]);
  const choices = { [asked.conflicts[0]!.key]: 'theirs' } as const;
  setField(ada, NAMES[2]!, 'title', 'Ada again');
  const again = await mergeUpstream(ada.context, { mark: asked.mark, choices });
  expect(again.conflicts).toMatchObject([{ yours: 'Ada again' }]);
  expect(ada.values(NAMES[2]!).title).toBe('Ada again');
  expect((await mergeUpstream(ada.context, { mark: again.mark, choices })).conflicts).toEqual([]);
  expect(ada.values(NAMES[2]!).title).toBe('Ben');
});

describe('a merge whose process is killed', () => {
  const script = fileURLToPath(new URL('./receive-process.ts', import.meta.url));

  /** Runs it in a process of its own, and kills that some milliseconds after it began. */
  async function runAndKill({ content }: Person, after?: number): Promise<void> {
    const child = spawn(process.execPath, ['--import', 'tsx', script, content], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (after !== undefined) child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), after));
    await new Promise((resolve) => child.once('close', resolve));
  }

  it('is undone by the next process, in the midst of its checks', async () => {
    const { ada } = apart();
    const before = stateOf(ada);
    addHook(ada, 'pre-merge-commit', `kill -9 "$(cat '${ada.root}/.git/pid')"; exit 0`);
    await runAndKill(ada);
    // The files were there already.
    expect(ada.read(NAMES[0]!)).toContain('From Ben');
    await recoverMerge(ada.content);
    expect(stateOf(ada)).toEqual(before);
    expect(existsSync(join(ada.root, '.git/index.lock'))).toBe(false);
    addHook(ada, 'pre-merge-commit', 'exit 0');
    await mergeUpstream(ada.context, NONE);
    expect(ada.read(NAMES[0]!)).toContain('From Ben');
  });

  it.each([5, 20, 40, 60, 80, 100, 120, 150, 180, 220])('is undone or done after %i ms', async (after) => {
    const { ada } = apart();
    const before = stateOf(ada);
    await runAndKill(ada, after);
    await recoverMerge(ada.content);
    const now = stateOf(ada);
    if (now.head === before.head) expect(now).toEqual(before);
    else {
      expect(ada.read(NAMES[0]!)).toContain('From Ben');
      expect(ada.git('status', '--porcelain')).toBe(` M content/${NAMES[0]}\nA  content/unfinished.yaml\n`);
    }
    await mergeUpstream(ada.context, NONE);
    expect(ada.git('status', '--porcelain')).toBe(` M content/${NAMES[0]}\nA  content/unfinished.yaml\n`);
  });

  it.each([
    ['leads out of the repository', '../outside.yaml'],
    ['leads into the folder of Git', '.git/config'],
    ['leads elsewhere', '/outside.yaml'],
    ['leads through a link', 'link/outside.yaml'],
  ])('is not undone by a journal of a stranger whose path %s (B1)', async (_what, path) => {
    const { ada } = apart();
    const outside = join(ada.root, '../outside.yaml');
    writeFileSync(outside, 'of others');
    const folder = join(ada.root, '.git/property-catalogue');
    mkdirSync(folder, { recursive: true });
    symlinkSync('..', join(ada.root, 'link'));
    const at = path.startsWith('/') ? outside : path;
    const after = digestOf(readFileSync(path === '.git/config' ? join(ada.root, path) : outside));
    const files = [{ path: at, before: null, after, mode: '100644' }];
    writeFileSync(
      join(folder, 'journal.json'),
      JSON.stringify({ branch: 'refs/heads/main', from: stateOf(ada).head, files }),
    );
    await recoverMerge(ada.content);
    expect(readFileSync(outside, 'utf8')).toBe('of others');
    expect(existsSync(join(ada.root, '.git/config'))).toBe(true);
    await mergeUpstream(ada.context, NONE);
    expect(ada.read(NAMES[0]!)).toContain('From Ben');
  });

  it('leaves a merge to the process that is at it', async () => {
    const { ada } = apart();
    const checked = join(ada.root, '.git/checked');
    addHook(ada, 'pre-merge-commit', `while [ ! -e '${checked}' ]; do sleep 0.02; done`);
    const merged = runAndKill(ada);
    await expect.poll(() => ada.read(NAMES[0]!)).toContain('From Ben');
    const busy = /^Another "catalogue dev" is getting changes/;
    await expect(recoverMerge(ada.content)).rejects.toThrow(busy);
    await expect(mergeUpstream(ada.context, NONE)).rejects.toThrow(busy);
    expect(ada.read(NAMES[0]!)).toContain('From Ben');
    writeFileSync(checked, '');
    await merged;
    expect(await mergeUpstream(ada.context, NONE)).toEqual({ mark: '', conflicts: [] });
    expect(ada.git('log', '-1', '--format=%s')).toContain('Merge the changes');
  });

  it('leaves what was written after the kill', async () => {
    const { ada } = apart();
    addHook(ada, 'pre-merge-commit', `kill -9 "$(cat '${ada.root}/.git/pid')"; exit 0`);
    await runAndKill(ada);
    ada.write('new/folder/house.yaml', house(9, 'state: Connacht\n'));
    await recoverMerge(ada.content);
    expect(ada.read('new/folder/house.yaml')).toContain('Connacht');
    expect(ada.read(NAMES[0]!)).toContain('House 1');
  });
});
