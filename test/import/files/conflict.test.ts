/** An import replaces only files that it wrote, and reads no file outside the folder of its source (D1). */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/import/candidate/candidate.ts';
import { importProperties } from '../../../src/import/files/import.ts';
import { LEDGER_FILE } from '../../../src/import/files/ledger.ts';
import { createWorkspace, readTree, sound, type Workspace, yaml } from '../../compile/workspace.ts';
import { plain } from '../../media/picture.ts';

const picture = await plain(8, 8, '#336699').jpeg().toBuffer();
/** A photo, and a text behind its end that distinguishes it from others. */
const jpeg = (text: string) => Buffer.concat([picture, Buffer.from(text, 'latin1')]);

type Source = { readonly n: number; readonly title?: string; readonly photos?: readonly string[] };

async function* candidatesOf(sources: readonly Source[]): AsyncGenerator<Candidate> {
  for (const { n, title = `House ${n}`, photos = [] } of sources) {
    yield {
      at: `line ${n}`,
      raw: { ...sound(n, { title }), photo: photos.map((file) => ({ file })) },
      findings: [],
    };
  }
}

/** Imports from the folder beside the content. */
function imported({ content, root }: Workspace, sources: readonly Source[], force = false) {
  const options = { content, force, photos: false, from: join(root, 'source') };
  return importProperties(candidatesOf(sources), options);
}

function place({ root }: Workspace, name: string, bytes: Buffer): void {
  mkdirSync(dirname(join(root, 'source', name)), { recursive: true });
  writeFileSync(join(root, 'source', name), bytes);
}

const codesOf = ({ outcomes }: Awaited<ReturnType<typeof imported>>) =>
  outcomes.flatMap(({ findings }) => findings.map(({ code }) => code));
const FILE = 'properties/ie/house-1.yaml';
const PHOTO = 'properties/ie/photos/house-1-1.jpg';
const read = ({ content }: Workspace, path: string) => readFileSync(join(content, path), 'latin1');

describe('a file from an import (D1)', () => {
  it('is updated by the next import, with its photos', async () => {
    const workspace = createWorkspace();
    place(workspace, 'a.jpg', jpeg('one'));
    expect(await imported(workspace, [{ n: 1, photos: ['a.jpg'] }])).toMatchObject({ written: 1 });
    expect(await imported(workspace, [{ n: 1, photos: ['a.jpg'] }])).toMatchObject({ present: 1 });
    place(workspace, 'a.jpg', jpeg('two'));
    const again = await imported(workspace, [{ n: 1, title: 'House I', photos: ['a.jpg'] }]);
    expect(again).toMatchObject({ written: 0, replaced: 1, conflict: 0, outcomes: [] });
    expect(read(workspace, FILE)).toContain('title: House I\n');
    expect(read(workspace, PHOTO)).toContain('two');
  });

  it('keeps edits while the source is unchanged', async () => {
    const workspace = createWorkspace();
    place(workspace, 'a.jpg', jpeg('one'));
    await imported(workspace, [{ n: 1, photos: ['a.jpg'] }]);
    workspace.write(FILE, read(workspace, FILE).replace('House 1', 'Edited'));
    workspace.write(PHOTO, jpeg('edited'));
    expect(await imported(workspace, [{ n: 1, photos: ['a.jpg'] }])).toMatchObject({
      present: 1,
      outcomes: [],
    });
    expect(read(workspace, FILE)).toContain('title: Edited\n');
    expect(read(workspace, PHOTO)).toContain('edited');
  });

  it('has the changes of both where they are in different fields, and keeps its comments', async () => {
    const workspace = createWorkspace();
    const source = { n: 1 };
    await imported(workspace, [source]);
    const edited = `${read(workspace, FILE).replace(/^email: .*$/m, 'email: me@stay.example # mine')}\nfacilities: [wifi]\n`;
    workspace.write(FILE, edited);
    const { outcomes, ...counts } = await imported(workspace, [{ n: 1, title: 'House I' }]);
    expect(counts).toMatchObject({ replaced: 1, conflict: 0 });
    expect(outcomes[0]!.findings.at(-1)).toMatchObject({
      code: 'merged-file',
      message: expect.stringMatching(/Those changes stay\. As in the source, it has the new title\.$/),
    });
    expect(read(workspace, FILE)).toBe(edited.replace('House 1', 'House I'));
    expect(await imported(workspace, [{ n: 1, title: 'House I' }])).toMatchObject({
      present: 1,
      outcomes: [],
    });
    expect(await imported(workspace, [{ n: 1, title: 'House 2' }])).toMatchObject({ replaced: 1 });
    expect(read(workspace, FILE)).toBe(edited.replace('House 1', 'House 2'));
  });

  it('is found again where it was moved to, and may be edited there', async () => {
    const workspace = createWorkspace();
    await imported(workspace, [{ n: 1 }, { n: 2 }]);
    workspace.write('mine/one.yaml', `${read(workspace, FILE)}facilities: [wifi]\n`);
    workspace.remove(FILE);
    const source = [{ n: 1, title: 'House I' }, { n: 2 }];
    expect(await imported(workspace, source)).toMatchObject({ replaced: 1, present: 1, conflict: 0 });
    expect(read(workspace, 'mine/one.yaml')).toMatch(/title: House I\n[\s\S]*wifi/);
    expect(await imported(workspace, source)).toMatchObject({ present: 2, outcomes: [] });
  });

  it('is found again where it was moved to, though another id has the same short digest', async () => {
    const workspace = createWorkspace();
    const digests = [586_124, 724_992].map((n) => crc32(`id: ${sound(n).id}`) & 0xffffff);
    expect(digests[0]).toBe(digests[1]);
    const source = [{ n: 586_124 }, { n: 724_992 }];
    const before = await imported(workspace, source);
    expect(before.written).toBe(2);
    for (const { path } of before.changed) {
      workspace.write(`moved/${path.split('/').at(-1)}`, read(workspace, path));
      workspace.remove(path);
    }
    const changed = source.map(({ n }) => ({ n, title: `Castle ${n}` }));
    expect(await imported(workspace, changed)).toMatchObject({ replaced: 2, conflict: 0 });
  });

  it('is a conflict when it was edited and the source changed, and --force replaces it', async () => {
    const workspace = createWorkspace();
    await imported(workspace, [{ n: 1 }]);
    workspace.write(FILE, read(workspace, FILE).replace('House 1', 'Edited'));
    const refused = await imported(workspace, [{ n: 1, title: 'House I' }]);
    expect(refused).toMatchObject({ replaced: 0, conflict: 1 });
    expect(refused.outcomes).toMatchObject([{ at: 'line 1', path: FILE, kind: 'conflict' }]);
    expect(refused.outcomes[0]!.findings).toMatchObject([
      { code: 'edited-file', severity: 'error', message: expect.stringContaining(FILE) },
    ]);
    expect(read(workspace, FILE)).toContain('title: Edited\n');
    expect(await imported(workspace, [{ n: 1, title: 'House I' }], true)).toMatchObject({ replaced: 1 });
    expect(read(workspace, FILE)).toContain('title: House I\n');
  });

  it('is recognised after an import that was interrupted before it recorded the file', async () => {
    const workspace = createWorkspace();
    await imported(workspace, [{ n: 1 }]);
    workspace.remove(LEDGER_FILE);
    expect(await imported(workspace, [{ n: 1 }])).toMatchObject({ present: 1 });
    expect(await imported(workspace, [{ n: 1, title: 'House I' }])).toMatchObject({ replaced: 1 });
  });

  it('is recorded as one line a file, without removed files', async () => {
    const workspace = createWorkspace();
    await imported(workspace, [{ n: 2 }, { n: 1 }, { n: 3 }]);
    workspace.remove('properties/ie/house-3.yaml');
    await imported(workspace, [{ n: 4 }]);
    const lines = read(workspace, LEDGER_FILE).split('\n');
    expect(
      lines
        .slice(2, -3)
        .map((line) => line.replace(/^ *"([^"]+)": \{"sha256":"[0-9a-f]{64}","fields":"[\w+/]+"\},?$/, '$1')),
    ).toEqual([1, 2, 4].map((n) => `properties/ie/house-${n}.yaml`));
    workspace.write(LEDGER_FILE, '<<<<<<< ours');
    await expect(imported(workspace, [{ n: 1 }])).rejects.toMatchObject({ code: 'damaged-ledger' });
  });
});

describe('a file that no import wrote (D1)', () => {
  it('stops no import when it is too large to be read', async () => {
    const workspace = createWorkspace();
    workspace.write('notes/large.yaml', `text: ${'x'.repeat(1_100_000)}\n`);
    expect(await imported(workspace, [{ n: 1 }])).toMatchObject({ written: 1 });
  });

  it('is a conflict when it holds the property, and --force replaces it', async () => {
    const workspace = createWorkspace();
    workspace.add(1, { title: 'By hand' }, 'mine.yaml');
    const refused = await imported(workspace, [{ n: 1 }]);
    expect(codesOf(refused)).toEqual(['foreign-file']);
    expect(read(workspace, 'mine.yaml')).toBe(yaml(sound(1, { title: 'By hand' })));
    expect(await imported(workspace, [{ n: 1 }], true)).toMatchObject({ replaced: 1 });
    expect(read(workspace, 'mine.yaml')).toContain('title: House 1\n');
  });

  it('keeps its draft and its dates when the rest is replaced', async () => {
    const workspace = createWorkspace();
    const dates = { draft: 'true', live_from: '2027-04-01', live_until: '2027-10-31' };
    workspace.add(1, { title: 'By hand', ...dates }, 'mine.yaml');
    expect(await imported(workspace, [{ n: 1 }], true)).toMatchObject({ replaced: 1 });
    const text = read(workspace, 'mine.yaml');
    expect(text).toContain('title: House 1\n');
    expect(text).toContain('draft: true\nlive_from: 2027-04-01\nlive_until: 2027-10-31\n');
    // The file has the values of the source, with or without --force.
    expect(await imported(workspace, [{ n: 1 }])).toMatchObject({ present: 1, conflict: 0 });
    expect(await imported(workspace, [{ n: 1 }], true)).toMatchObject({ present: 1, replaced: 0 });
    expect(await imported(workspace, [{ n: 1, title: 'House I' }])).toMatchObject({ replaced: 1 });
    expect(read(workspace, 'mine.yaml')).toBe(text.replace('House 1', 'House I'));
  });

  it('counts as edited when a draft was added to it, and nothing is lost', async () => {
    const workspace = createWorkspace();
    await imported(workspace, [{ n: 1 }]);
    workspace.write(FILE, `${read(workspace, FILE).replace('House 1', 'Edited')}\ndraft: true\n`);
    const edited = read(workspace, FILE);
    expect(await imported(workspace, [{ n: 1 }])).toMatchObject({ present: 1, conflict: 0 });
    expect(await imported(workspace, [{ n: 1, title: 'House I' }])).toMatchObject({ conflict: 1 });
    expect(read(workspace, FILE)).toBe(edited);
  });

  it.each([false, true])(
    'keeps its photo, and the imported one gets another name (force: %s)',
    async (force) => {
      const workspace = createWorkspace();
      workspace.write(PHOTO, jpeg('of another property'));
      workspace.add(9, { photo: [{ file: 'photos/house-1-1.jpg' }] }, 'properties/ie/other.yaml');
      place(workspace, 'a.jpg', jpeg('one'));
      expect(await imported(workspace, [{ n: 1, photos: ['a.jpg'] }], force)).toMatchObject({ written: 1 });
      expect(read(workspace, PHOTO)).toContain('of another property');
      const [, name = ''] = /file: (photos\/house-1-1-[0-9a-f]{12}\.jpg)\n/.exec(read(workspace, FILE))!;
      expect(read(workspace, `properties/ie/${name}`)).toContain('one');
      // Again: nothing is new.
      const before = readTree(workspace.content);
      expect(await imported(workspace, [{ n: 1, photos: ['a.jpg'] }])).toMatchObject({ present: 1 });
      expect(readTree(workspace.content)).toEqual(before);
    },
  );

  it('keeps an imported photo that another property names now', async () => {
    const workspace = createWorkspace();
    place(workspace, 'a.jpg', jpeg('one'));
    await imported(workspace, [{ n: 1, photos: ['a.jpg'] }]);
    workspace.add(9, { photo: [{ file: 'photos/house-1-1.jpg' }] }, 'properties/ie/other.yaml');
    place(workspace, 'a.jpg', jpeg('two'));
    expect(await imported(workspace, [{ n: 1, photos: ['a.jpg'] }])).toMatchObject({ replaced: 1 });
    expect(read(workspace, PHOTO)).toContain('one');
  });

  it('is never changed through a link that leads outside the content folder', async () => {
    const workspace = createWorkspace();
    const outside = join(workspace.root, 'outside');
    mkdirSync(outside);
    mkdirSync(join(workspace.content, 'properties/ie'), { recursive: true });
    symlinkSync(outside, join(workspace.content, 'properties/ie/photos'));
    symlinkSync(join(workspace.root, 'nowhere'), join(workspace.content, 'properties/no'));
    place(workspace, 'a.jpg', jpeg('one'));
    expect(codesOf(await imported(workspace, [{ n: 1, photos: ['a.jpg'] }]))).toEqual(['outside-content']);
    expect(readTree(outside).size).toBe(0);
    rmSync(join(workspace.content, 'properties/ie'), { recursive: true });
    symlinkSync(outside, join(workspace.content, 'properties/ie'));
    expect(codesOf(await imported(workspace, [{ n: 1 }]))).toEqual(['outside-content']);
    expect(readTree(outside).size).toBe(0);
    expect(existsSync(join(workspace.root, 'nowhere'))).toBe(false);
  });
});

describe('a photo that a table names (D1)', () => {
  it.each(['link.jpg', 'folder/a.jpg', '../a.jpg', 'x/../../a.jpg', 'folder', 'text.jpg', 'none.jpg'])(
    'is copied only when it lies in the folder of the table: %s',
    async (file) => {
      const workspace = createWorkspace();
      place(workspace, 'text.jpg', Buffer.from('root:x:0:0'));
      writeFileSync(join(workspace.root, 'a.jpg'), jpeg('secret'));
      symlinkSync(join(workspace.root, 'a.jpg'), join(workspace.root, 'source/link.jpg'));
      symlinkSync(workspace.root, join(workspace.root, 'source/folder'));
      const result = await imported(workspace, [{ n: 1, photos: [file] }]);
      expect(codesOf(result)).toEqual(['photo-not-received']);
      expect([...readTree(workspace.content).keys()].sort()).toEqual([LEDGER_FILE, FILE]);
    },
  );

  it('is copied through a link that stays inside', async () => {
    const workspace = createWorkspace();
    place(workspace, 'deep/a.jpg', jpeg('one'));
    symlinkSync('deep/a.jpg', join(workspace.root, 'source/link.jpg'));
    await imported(workspace, [{ n: 1, photos: ['link.jpg'] }]);
    expect(read(workspace, PHOTO)).toContain('one');
  });
});

it('an import without --force changes nothing that a person wrote, in any order of events (D1)', async () => {
  const n = fc.integer({ min: 1, max: 2 });
  const photo = fc.constantFrom('a.jpg', 'b.jpg');
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('import' as const),
      sources: fc.array(fc.record({ n, title: fc.constantFrom('House', 'Villa'), photos: fc.array(photo) })),
    }),
    fc.record({ kind: fc.constant('source' as const), photo, text: fc.constantFrom('x', 'y') }),
    fc.record({ kind: fc.constant('edit' as const), pick: fc.nat(), text: fc.constantFrom('x', 'y') }),
    fc.record({ kind: fc.constant('add' as const), n, name: fc.constantFrom('house', 'villa', 'mine') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const workspace = createWorkspace();
      for (const name of ['a.jpg', 'b.jpg']) place(workspace, name, jpeg(name));
      const byHand = new Map<string, Buffer>();
      const written = (bytes: Buffer) => String(bytes).match(/^# [xy]$/gm);
      const write = (path: string, bytes: Buffer) => {
        workspace.write(path, bytes);
        byHand.set(path, bytes);
      };
      for (const step of steps) {
        const present = [...readTree(workspace.content).keys()].filter((path) => path !== LEDGER_FILE).sort();
        if (step.kind === 'source') place(workspace, step.photo, jpeg(step.text));
        else if (step.kind === 'add') {
          const path = `properties/ie/${step.name}.yaml`;
          if (!present.includes(path)) write(path, Buffer.from(yaml(sound(step.n, { title: 'By hand' }))));
        } else if (step.kind === 'edit' && present.length > 0) {
          const path = present[step.pick % present.length]!;
          const before = readFileSync(join(workspace.content, path));
          write(
            path,
            Buffer.concat([before, Buffer.from(path.endsWith('.yaml') ? `# ${step.text}\n` : step.text)]),
          );
        } else if (step.kind === 'import') {
          await imported(workspace, step.sources);
          for (const [path, bytes] of byHand) {
            const now = readFileSync(join(workspace.content, path));
            // Fields that only the source changed are new in a file that an import wrote; what a person wrote stays.
            const isMerged = path.endsWith('.yaml') && !String(bytes).includes('By hand');
            if (isMerged) expect(written(now), path).toEqual(written(bytes));
            else expect(now, path).toEqual(bytes);
          }
        }
      }
    }),
    { numRuns: 60 },
  );
});

describe('a file that another program makes during the import', () => {
  const during = async (text: string) => {
    const workspace = createWorkspace();
    const { content } = workspace;
    const candidates = async function* () {
      yield* candidatesOf([{ n: 2 }]);
      writeFileSync(join(content, FILE), text);
      yield* candidatesOf([{ n: 1 }]);
    };
    const result = await importProperties(candidates(), { content, force: false, photos: false });
    return {
      result,
      codes: codesOf(result),
      own: read(workspace, FILE),
      files: [...readTree(content).keys()],
    };
  };
  const other = (n: number) => yaml(sound(n, { title: 'Of another program' }));

  it('stays, as one that was there before, if it holds the property', async () => {
    const { result, codes, own } = await during(other(1));
    expect(result).toMatchObject({ written: 1, conflict: 1 });
    expect(codes).toEqual(['foreign-file']);
    expect(own).toBe(other(1));
  });

  it('stays beside the file of the property if it holds another one', async () => {
    const { result, codes, own, files } = await during(other(3));
    expect(result).toMatchObject({ written: 2, conflict: 0 });
    expect(codes).toEqual([]);
    expect(own).toBe(other(3));
    expect(files).toContain('properties/ie/house-1-galway.yaml');
  });
});
