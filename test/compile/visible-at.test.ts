/** Drafts and dates: a property that is not shown leaves no trace, whatever was built before (20.5). */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { build } from '../../src/compile/build.ts';
import { check } from '../../src/compile/check.ts';
import { findNextChange } from '../../src/compile/next-change.ts';
import { createWorkspace, type Fields, idOf, readTree, sound, yaml } from './workspace.ts';

const PLAIN =
  'page_sizes: [2, 25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\nphoto: { max_width: 64 }\n';
const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2027, 0, 1);

/** Days since the start; undefined: the line is absent. */
type Dates = { draft: boolean; from: number | undefined; until: number | undefined };

const dateOf = (day: number) => new Date(START + day * DAY).toISOString().slice(0, 10);

/** The oracle, which computes with days alone. */
const isShown = ({ draft, from, until }: Dates, day: number) =>
  !draft && (from === undefined || from <= day) && (until === undefined || day <= until);

const fieldsOf = ({ draft, from, until }: Dates): Fields => ({
  ...(draft && { draft: 'true' }),
  live_from: from === undefined ? undefined : dateOf(from),
  live_until: until === undefined ? undefined : dateOf(until),
});

const day = fc.integer({ min: 0, max: 9 });
const dates: fc.Arbitrary<Dates> = fc
  .record({
    draft: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    from: fc.option(day, { nil: undefined }),
    until: fc.option(day, { nil: undefined }),
  })
  .filter(({ from, until }) => from === undefined || until === undefined || from <= until);
const house = fc.record({ dates, city: fc.constantFrom('Galway', 'Cork'), hasPhoto: fc.boolean() });
/** Keys of files that differ, or that only one of two trees has. */
function differences(one: ReturnType<typeof readTree>, other: ReturnType<typeof readTree>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (key) => String(one.get(key)) !== String(other.get(key)),
  );
}

/** A day, and the hour at which the build runs. */
const moment = fc.record({ day: fc.integer({ min: -1, max: 10 }), hour: fc.constantFrom(0, 12, 23) });

const asOf = ({ day: at, hour }: { day: number; hour: number }) =>
  new Date(START + at * DAY + hour * 3_600_000);

describe('a property that is not shown', () => {
  it('leaves the same output as if its file did not exist, in successive builds at any times', async () => {
    const photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    await fc.assert(
      fc.asyncProperty(
        fc.array(house, { minLength: 1, maxLength: 5 }),
        fc.array(moment, { minLength: 2, maxLength: 4 }),
        async (houses, moments) => {
          const [dated, plain] = [createWorkspace(), createWorkspace()];
          const write = (workspace: typeof dated, n: number, fields: Fields) =>
            workspace.write(`house-${n}.yaml`, yaml(fields));
          for (const workspace of [dated, plain]) workspace.write('catalogue.yaml', PLAIN);
          const common = houses.map(({ city, hasPhoto }, n) => {
            if (hasPhoto)
              for (const workspace of [dated, plain])
                workspace.write(`${n}.jpg`, Buffer.concat([photo, Buffer.from([n])]));
            return sound(n, { city, ...(hasPhoto && { photo: [{ file: `${n}.jpg` }] }) });
          });
          for (const [n, one] of houses.entries()) write(dated, n, { ...common[n], ...fieldsOf(one.dates) });
          for (const at of moments) {
            const result = await build({ content: dated.content, out: dated.out, asOf: asOf(at), jobs: 1 });
            expect(result.outcome).not.toBe('refused');
            houses.forEach((one, n) => {
              if (isShown(one.dates, at.day)) write(plain, n, common[n]!);
              else rmSync(join(plain.content, `house-${n}.yaml`), { force: true });
            });
            rmSync(plain.out, { recursive: true, force: true });
            await build({ content: plain.content, out: plain.out, jobs: 1 });
            expect(differences(readTree(dated.public), readTree(plain.public))).toEqual([]);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('is found in advance: between one change and the next the output is constant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(dates, { minLength: 1, maxLength: 6 }), moment, async (all, at) => {
        const { content, write } = createWorkspace();
        for (const [n, one] of all.entries()) write(`house-${n}.yaml`, yaml(sound(n, fieldsOf(one))));
        const { next, changes } = await findNextChange({ content, asOf: asOf(at), jobs: 1 });
        const shownOn = (date: number) => all.map((one) => isShown(one, date));
        let expected: number | undefined;
        for (let date = at.day + 1; date <= 11 && expected === undefined; date++)
          if (String(shownOn(date)) !== String(shownOn(at.day))) expected = date;
        // On a day with one new and one removed property, the number stays the same.
        expect(next).toBe(expected === undefined ? null : START + expected * DAY);
        const named =
          expected === undefined
            ? []
            : all.flatMap((one, n) =>
                isShown(one, expected) === isShown(one, at.day) ? [] : `house-${n}.yaml`,
              );
        expect(changes.map(({ file }) => file)).toEqual(named);
      }),
      { numRuns: 20 },
    );
  });

  it('is not checked between changes, and is checked as soon as its time comes', async () => {
    const { content, out, add } = createWorkspace();
    add(1);
    add(2, { live_from: '2027-04-01T10:00:00+02:00', live_until: '2027-04-03' });
    const at = async (time: string) => {
      const { outcome, counts, hidden } = await build({ content, out, asOf: new Date(time), jobs: 1 });
      return [outcome, counts?.properties, hidden];
    };
    const none = { draft: 0, early: 0, over: 0 };
    expect(await at('2027-03-01T00:00:00Z')).toEqual(['published', 1, { ...none, early: 1 }]);
    // A file that was written just now is read again by the second build.
    await at('2027-03-01T00:00:00Z');
    expect(await at('2027-04-01T07:59:59Z')).toEqual(['unchanged', 1, { ...none, early: 1 }]);
    expect(await at('2027-04-01T08:00:00Z')).toEqual(['published', 2, none]);
    expect((await at('2027-04-03T23:59:59Z')).slice(1)).toEqual([2, none]);
    expect(await at('2027-04-04T00:00:00Z')).toEqual(['published', 1, { ...none, over: 1 }]);
    expect(await at('2027-04-02T00:00:00Z')).toEqual(['published', 2, none]);
  });
});

describe('a draft', () => {
  const found = async (text: string, more: Fields[] = []) => {
    const { content, write, add } = createWorkspace();
    write('draft.yaml', text);
    for (const [n, fields] of more.entries()) add(n + 1, fields);
    const { diagnostics } = await check({ content, jobs: 1 });
    return diagnostics.map(({ code, severity, file }) => `${severity} ${code} ${file}`);
  };

  it('may be unfinished: problems of its values are warnings', async () => {
    expect(
      await found(`id: ${idOf(9)}\ndraft: true\ntitle: ''\nphone: "12"\nphoto:\n  - file: gone.jpg\n`),
    ).toEqual(
      ['missing-key', 'missing-email', 'empty-text', 'invalid-phone', 'photo-missing']
        .flatMap((code) => (code === 'missing-key' ? Array(5).fill(code) : [code]))
        .map((code) => expect.stringMatching(new RegExp(`^warning (?:${code}|.*) draft.yaml$`))),
    );
  });

  it('must be readable, and must have an id of its own', async () => {
    expect(await found(`id: ${idOf(9)}\ndraft: true\ntitle: "x\n`)).toContain('error yaml-syntax draft.yaml');
    expect(await found('draft: true\ntitle: x\n')).toContain('error missing-key draft.yaml');
    expect(await found(yaml(sound(1, { draft: 'true' })), [{}])).toEqual([
      'error duplicate-id draft.yaml',
      'error duplicate-id house-1.yaml',
    ]);
  });

  it('is published once it is no longer a draft; before, no answer or document contains it', async () => {
    const trees = [];
    for (const fields of [{ draft: 'false', live_from: '2020-01-01', live_until: '2999-12-31' }, {}]) {
      const { content, out, public: root, add } = createWorkspace();
      add(1, fields);
      await build({ content, out, jobs: 1 });
      trees.push(readTree(root));
    }
    expect(differences(trees[0]!, trees[1]!)).toEqual([]);
  });
});
