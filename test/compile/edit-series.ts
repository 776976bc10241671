/** After any series of edits, an incremental build ends in the tree of a clean one. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect } from 'vitest';
import { forEachConcurrently } from '../../src/storage/for-each.ts';
import { createWorkspace, idOf, readTree, type Workspace } from './workspace.ts';

const SEED = 20_261_120;

// Few targets and no copied pages: those would take longer than the code under test.
const PLAIN = 'page_sizes: [1, 2, 25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\n';
const WITHOUT_BULK =
  'page_sizes: [2, 25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\nbulk: false\n';
const PACKED =
  'page_sizes: [2, 25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\nbulk: false\nlayout: packed\n';
const BOTH = 'page_sizes: [1, 25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\n';
const OTHER =
  'page_sizes: [2, 25, 100]\nbase_url: https://x.example/y\ntargets: [nginx]\ndocs: false\nexplorer: { enabled: false }\n';

const place = fc.record({
  city: fc.constantFrom('Galway', 'Cork', 'Newport', 'galway'),
  country: fc.constantFrom('IE', 'GB', 'US'),
});
const number = fc.integer({ min: 1, max: 12 });

const HEAD = 'page_sizes: [2, 25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\n';
/** Declarations that differ in one thing each: none, a set, another order, other limits, other languages. */
const DECLARED = [
  '',
  'languages: [en, fr]\nfields: { description: {}, bedrooms: {}, sauna: { type: boolean } }\n',
  'languages: [en, fr, pt-BR]\nfields: { bedrooms: {}, description: {}, sauna: { type: boolean } }\n',
  'languages: [en, fr]\nlayout: packed\nfields: { description: {}, bedrooms: { maximum: 9 }, sauna: { type: boolean }, stars: {} }\n',
  'languages: [en, fr]\nfields: { description: { max_length: 100 }, bedrooms: {}, sauna: { type: boolean } }\n',
].map((declaration) => HEAD + declaration);

/** Values of declared fields, and translations. */
const texts = fc.record(
  {
    description: fc.constantFrom('By the sea.', 'Two\nlines, "quoted" # here', ''),
    'description@fr': fc.constantFrom('Au bord de la mer.', 'Été\nchaud'),
    bedrooms: fc.constantFrom('0', '3', ''),
    sauna: fc.constantFrom('true', 'false'),
    'title@fr': fc.constantFrom('Le cottage', 'Zz'),
  },
  { requiredKeys: [] },
);

/** One edit of a user. */
const edit = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('add' as const), n: number, place, photo: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('title' as const),
      n: number,
      text: fc.constantFrom('A', 'B', 'Zz'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('email' as const),
      n: number,
      text: fc.constantFrom('a@b.example', ''),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('show' as const),
      n: number,
      visibility: fc.constantFrom<Visibility>({}, { draft: 'true' }, { live_until: '2020-01-01' }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), n: number }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), n: number, place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), n: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('touch' as const), n: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('break' as const), n: number }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('photo' as const), shade: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('configure' as const),
      text: fc.constantFrom(PLAIN, OTHER, WITHOUT_BULK, PACKED, BOTH),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('lose' as const),
      what: fc.constantFrom('state', 'public/_catalogue/current.json', 'cache'),
    }),
  },
);
const series = fc.array(fc.array(edit, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 5 });

/** As {@link series}, of a catalogue that declares fields. A declaration that some file does not fit ends in a refusal. */
const declaredEdit = fc.oneof(
  { weight: 2, arbitrary: edit.filter(({ kind }) => kind !== 'configure') },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('texts' as const), n: number, texts }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('configure' as const), text: fc.constantFrom(...DECLARED) }),
  },
);
const declaredSeries = fc.array(fc.array(declaredEdit, { minLength: 1, maxLength: 5 }), {
  minLength: 2,
  maxLength: 5,
});

type Edit = typeof declaredEdit extends fc.Arbitrary<infer T> ? T : never;
type Visibility = { readonly draft?: string; readonly live_until?: string };
type House = {
  visibility: Visibility;
  place: { city: string; country: string };
  title: string;
  email: string;
  photo: boolean;
  name: string;
  texts: Readonly<Record<string, string>>;
};

/** Plays this many series of edits; each must end in the output of a clean build. */
export const playSeries = (count: number): Promise<void> => playAll(series, [PLAIN, PACKED, BOTH], count);

/** As {@link playSeries}, with declared fields and translations. */
export const playDeclaredSeries = (count: number): Promise<void> => playAll(declaredSeries, DECLARED, count);

async function playAll(
  from: fc.Arbitrary<Edit[][]>,
  configurations: readonly string[],
  count: number,
): Promise<void> {
  const pictures = await Promise.all(
    [1, 2, 3].map((shade) =>
      sharp({ create: { width: 4, height: 4, channels: 3, background: { r: 80 * shade, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  );
  const all = fc.sample(from, { numRuns: count, seed: SEED });
  await forEachConcurrently(all.entries(), 16, ([index, steps]) =>
    play(steps, index, pictures, configurations),
  );
}

async function play(
  steps: Edit[][],
  index: number,
  pictures: Buffer[],
  configurations: readonly string[],
): Promise<void> {
  const workspace = createWorkspace();
  workspace.configure(configurations[index % configurations.length]!);
  workspace.write('p.png', pictures[0]!);
  const houses = new Map<number, House>();
  let diagnostics: unknown;
  for (const edits of steps) {
    const broken: string[] = [];
    for (const one of edits) apply(one, workspace, houses, pictures, broken);
    // The files must be older than a tick of the clock; otherwise the build reads all of them again.
    await new Promise((resolve) => setTimeout(resolve, 25));
    let result = await workspace.build();
    if (broken.length > 0) {
      expect(result.outcome, `series ${index}`).toBe('refused');
      for (const name of broken)
        writeHouse(workspace, [...houses.values()].find((house) => house.name === name)!, houses);
      result = await workspace.build();
    }
    diagnostics = result.diagnostics;
  }
  const clean = join(workspace.root, 'clean');
  // The images are the same bytes: making them again would only take time.
  const cache = join(workspace.out, 'cache');
  if (existsSync(cache)) cpSync(cache, join(clean, 'cache'), { recursive: true });
  const { diagnostics: expected, outcome } = await workspace.build({ out: clean });
  expect(diagnostics, `series ${index}: ${JSON.stringify(steps)}`).toEqual(expected);
  // The last build was refused as well: what is published is of an earlier step.
  if (outcome === 'refused') return;
  for (const part of ['public', 'edge']) {
    mkdirSync(join(clean, part), { recursive: true });
    mkdirSync(join(workspace.out, part), { recursive: true });
    expect(readTree(join(workspace.out, part)), `series ${index}: ${JSON.stringify(steps)}`).toEqual(
      readTree(join(clean, part)),
    );
  }
}

function apply(
  one: Edit,
  workspace: Workspace,
  houses: Map<number, House>,
  pictures: Buffer[],
  broken: string[],
): void {
  if (one.kind === 'configure') {
    workspace.configure(one.text);
    // Without the declaration, most texts go too; one that comes later is refused.
    for (const house of DECLARED[0] === one.text ? houses.values() : []) {
      if (Object.keys(house.texts).length === 0 || broken.includes(house.name)) continue;
      house.texts = {};
      writeHouse(workspace, house, houses);
    }
    return;
  }
  if (one.kind === 'photo') {
    workspace.write('p.png', pictures[one.shade - 1]!);
    return;
  }
  if (one.kind === 'lose') {
    rmSync(join(workspace.out, one.what), { recursive: true, force: true });
    return;
  }
  const house = houses.get(one.n);
  if (one.kind === 'add') {
    if (house) return;
    const added: House = {
      visibility: {},
      place: one.place,
      title: `T${one.n}`,
      email: 'x@y.example',
      photo: one.photo,
      name: `h${one.n}.yaml`,
      texts: {},
    };
    houses.set(one.n, added);
    writeHouse(workspace, added, houses);
    return;
  }
  if (!house || broken.includes(house.name)) return;
  if (one.kind === 'remove') {
    houses.delete(one.n);
    workspace.remove(house.name);
  } else if (one.kind === 'rename') {
    const name = `${house.name.replace('.yaml', '')}x.yaml`;
    renameSync(join(workspace.content, house.name), join(workspace.content, name));
    house.name = name;
  } else if (one.kind === 'touch') {
    utimesSync(join(workspace.content, house.name), 5, 5);
  } else if (one.kind === 'break') {
    writeFileSync(
      join(workspace.content, house.name),
      `${readFileSync(join(workspace.content, house.name), 'utf8')}oops: x\n`,
    );
    broken.push(house.name);
  } else {
    if (one.kind === 'title') house.title = one.text;
    else if (one.kind === 'email') house.email = one.text;
    else if (one.kind === 'texts') house.texts = one.texts;
    else if (one.kind === 'show') house.visibility = one.visibility;
    else house.place = one.place;
    writeHouse(workspace, house, houses);
  }
}

function writeHouse(workspace: Workspace, house: House, houses: Map<number, House>): void {
  const [n] = [...houses].find(([, other]) => other === house)!;
  const { title, email, place, photo, name, visibility, texts } = house;
  workspace.add(
    n,
    {
      id: idOf(n),
      title,
      email: email || undefined,
      ...place,
      ...visibility,
      ...texts,
      photo: photo ? [{ file: 'p.png' }] : undefined,
    },
    name,
  );
}
