/**
 * Random journeys: two tabs type, move the mark of the map, save, undo, remove, record, send, receive and lose their
 * connection while files are moved, deleted and changed, a colleague changes, adds and removes properties, branches are
 * switched and sessions restarted. After each step, all that was typed and neither undone nor overwritten
 * by choice is in a file, in a form, or in a draft; at the end, continuing all drafts brings it into files.
 *
 * `JOURNEYS=300` sets the number, and `JOURNEY=17,23` runs these. The form's modules are the page's own, without a browser.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { chosenFiles } from '../../src/editor/changes.ts';
import { FailedRequest } from '../../src/editor/client.ts';
import type { ConflictSide, ReceivedConflict } from '../../src/editor/git-remote.ts';
import { photoPath } from '../../src/editor/photo-files.ts';
import { openProperty } from '../../src/editor/property-opening.ts';
import type { PropertyStore } from '../../src/editor/property-state.ts';
import { entriesAt } from '../../src/editor/undo-history.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openTab, openWorld, type Tab, type World } from './journey-world.ts';
import { randomOf } from './random.ts';

const JOURNEYS = Number(process.env.JOURNEYS ?? 6);
const STEPS = 40;
const ONLY = process.env.JOURNEY;
const FIRST = 1000 * (Number(process.env.SEED ?? 1) - 1);
const SEEDS = ONLY
  ? ONLY.split(',').map(Number)
  : Array.from({ length: JOURNEYS }, (_, index) => FIRST + index + 1);
const FIELDS = ['title', 'address', 'state', 'zip_code', 'email'];
const ALL = [...FIELDS, 'latitude', 'photo'];
const HOME = 'properties/ie/rose.yaml';
const OTHER = 'properties/ie/mill.yaml';

const text = (number: number, title: string) => `# Kept by hand.
id: 00000000-0000-4000-8000-00000000000${number}
title: ${title}
city: Galway
country: IE
currency: EUR
email: stay@rose.example
latitude: 53.27194
longitude: -9.04889
`;

let photo: File;
beforeAll(async () => {
  const create = { width: 64, height: 48, channels: 3, background: '#345' } as const;
  const bytes = await sharp({ create }).jpeg().toBuffer();
  photo = new File([new Uint8Array(bytes)], 'window.jpg', { type: 'image/jpeg' });
});
const given = globalThis.fetch;
afterAll(() => vi.unstubAllGlobals());

/** A text that occurs once: of a field, of a colleague, or a latitude. */
const MARK = /^(?:t\d+|ben \d+|53\.0\d+7$)/;

/** Whether a value is a text, or a whole file that has it. */
function isWhole(mark: string, value: unknown): boolean {
  return String(value)
    .split('\n')
    .some((line) => line === mark || line.endsWith(`: ${mark}`));
}

type Form = { tab: Tab; form: PropertyStore | undefined };

async function journey(seed: number): Promise<void> {
  const random = randomOf(seed);
  const content = join(temporaryFolder(), 'content');
  mkdirSync(content);
  const world = openWorld(content);
  await world.listen();
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) =>
    given(world.url() + path, { ...init, headers: { ...init.headers, Cookie: world.cookie() } }),
  );
  const steps: string[] = [];
  try {
    await new Journey(world, random, steps).run();
  } catch (error) {
    const replay = `Replay: JOURNEY=${seed} npx vitest run --project deep test/editor/random-journey.deep.test.ts`;
    throw new Error(`${replay}\n${steps.join('\n')}\n${String((error as Error).stack)}`, { cause: error });
  } finally {
    await world.close();
  }
}

class Journey {
  /** Texts that must not be lost, with their fields. */
  readonly owed = new Map<string, string>();
  readonly tabs: Form[];
  readonly stash = new Map<string, string>();
  count = 0;
  saves: Promise<unknown>[] = [];
  running = 0;
  /** What the colleague sent and was not got yet, by its field; and what that replaces. */
  readonly sent = new Map<string, string>();
  readonly replaced = new Set<string>();
  /** Photos that were removed with their properties: a form that is kept as a new property may name them. */
  readonly removedPhotos = new Set<string>();
  /** Whether files came or went while the server wrote: it may then write a second file of a property. */
  isRaced = false;

  constructor(
    readonly world: World,
    readonly random: ReturnType<typeof randomOf>,
    readonly steps: string[],
  ) {
    world.write('catalogue.yaml', 'title: Stays\npage_sizes: [25]\ntargets: []\n');
    world.write(HOME, text(1, 'Rose'));
    world.write(OTHER, text(2, 'Mill'));
    world.share();
    this.tabs = [1, 2].map(() => ({ tab: openTab(world), form: undefined }));
  }

  log(what: string) {
    this.steps.push(`${this.steps.length}. ${what}`);
  }

  /** Where a text is: in files, in a form, in a draft. */
  isThere(mark: string, field: string): boolean {
    const has = (values: unknown) => {
      const value = (values as Record<string, unknown>)[field];
      return field === 'photo'
        ? Array.isArray(value) && value.some((one) => (one as { description?: string })?.description === mark)
        : String(value) === mark;
    };
    return (
      [...this.world.files().values()].some(has) ||
      [...this.stash.values()].some((file) => file.includes(mark)) ||
      this.tabs.some(
        ({ form }) => form && (has(form.get().values) || Object.values(form.get().texts).includes(mark)),
      ) ||
      [...this.world.kept.values()].some(
        ({ draft }) => draft && (has(draft.values) || Object.values(draft.texts).includes(mark)),
      )
    );
  }

  check(after: string) {
    for (const [mark, field] of this.owed) {
      if (!this.isThere(mark, field)) throw new Error(`After "${after}", ${field} ${mark} is lost.`);
    }
  }

  /** Texts of a form, by their fields. */
  marksOf(form: PropertyStore): Map<string, string> {
    const { values, texts } = form.get();
    const marks = [...FIELDS, 'latitude'].map((field) => [String(values[field] ?? ''), field] as const);
    const photos = entriesAt(values, 'photo').map(
      (one) => [String((one as { description?: string }).description), 'photo'] as const,
    );
    const unfinished = Object.entries(texts).map(([id, one]) => [one, id] as const);
    return new Map([...marks, ...photos, ...unfinished].filter(([mark]) => MARK.test(mark)));
  }

  /** Does something to a form by the user's will: what it no longer holds is no longer owed, what it holds is. */
  willed(form: PropertyStore, act: () => void) {
    const before = this.marksOf(form);
    act();
    const after = this.marksOf(form);
    for (const mark of before.keys()) if (!after.has(mark)) this.owed.delete(mark);
    // What undo brings back to the file's own value may be another's to change.
    const { fields, texts } = form.get();
    for (const [mark, field] of after)
      if (!before.has(mark) && (field in fields || field in texts)) this.owed.set(mark, field);
  }

  async run() {
    for (let step = 0; step < STEPS; step++) {
      await this.step();
      this.check(this.steps.at(-1) ?? '');
    }
    await this.end();
  }

  async step() {
    const { random } = this;
    const one = random.one(this.tabs);
    if (!one.form) return this.open(one);
    const { form } = one;
    const kind = random.below(125);
    if (form.get().conflict) return this.resolve(form);
    if (kind >= 100) return this.share(one, kind);
    if (kind < 34) return this.type(form);
    if (kind < 50) return this.save(form, random.is(0.5));
    if (kind < 58) return this.undo(form);
    if (kind < 66) return this.change();
    if (kind < 72) return this.move();
    if (kind < 76) return this.remove();
    if (kind < 80) return this.branch();
    if (kind < 86) return this.restart();
    if (kind < 92) return this.network();
    return this.crash(one);
  }

  async open(one: Form) {
    const { random, world } = this;
    const paths = [...world.files().keys()];
    const which = random.is(0.2) || paths.length === 0 ? null : random.one([...paths, HOME, OTHER]);
    if (world.network() !== 'on') return this.network();
    world.enter();
    const { property, offers, isNew } = await openProperty(one.tab.client, one.tab.drafts, which);
    this.log(`opens ${which}, offered ${offers.length}`);
    const draft = offers[0] && random.is(0.8) ? await one.tab.drafts.take(offers[0].id) : undefined;
    if (!property && !isNew && !draft) return;
    one.form = one.tab.open({ first: property, draft });
    if (draft) this.log(`continues ${draft.id.slice(0, 8)}`);
  }

  type(form: PropertyStore) {
    const { random } = this;
    const mark = `t${++this.count}`;
    const kind = random.below(12);
    this.willed(form, () => {
      if (kind === 0) form.get().type(random.one(['field-latitude', 'field-latitude-move']), mark);
      else if (kind === 1)
        form
          .get()
          .arrange('photo', (places) => [
            ...places,
            { file: form.get().photos.take(photo), description: mark },
          ]);
      else if (kind === 2 && form.get().texts['field-latitude']) form.get().type('field-latitude', undefined);
      else if (kind > 9) this.placeMark(form);
      else form.get().edit({ path: [random.one(FIELDS)], value: mark });
    });
    this.log(`types ${mark} into ${this.owed.get(mark) ?? 'nothing'}`);
  }

  /** As the map does after a drag, with or without a question. */
  placeMark(form: PropertyStore) {
    const value = `53.0${String(this.count).padStart(4, '0')}7`;
    const { type } = form.get();
    if (this.random.is(0.5)) type('field-latitude-move', `${value}, -9.1`);
    type(
      'field-latitude-move',
      undefined,
      { path: ['latitude'], value },
      { path: ['longitude'], value: '-9.1' },
    );
  }

  async save(form: PropertyStore, isAwaited: boolean) {
    this.log(`saves${isAwaited ? '' : ', and goes on'}`);
    const saving = this.saved(form);
    if (isAwaited) await saving;
    else {
      this.saves.push(saving);
      await new Promise((resolve) => setTimeout(resolve, this.random.below(6)));
      if (this.random.is(0.5)) this.type(form);
    }
  }

  async saved(form: PropertyStore) {
    this.running++;
    const isSaved = await form
      .get()
      .save()
      .finally(() => {
        this.running--;
      });
    const { saved, isDirty, texts } = form.get();
    if (!isSaved || isDirty || Object.keys(texts).length > 0 || !saved) return;
    expect(saved.version, 'the version of a saved form').not.toBe('');
    for (const entry of entriesAt(saved.values, 'photo') as { file: string }[])
      expect(entry.file, 'a photo in a file').not.toMatch(/^waiting:/);
  }

  undo(form: PropertyStore) {
    const { undo, values } = form.get();
    const isBack = this.random.is(0.3);
    if (!undo) return;
    this.log(`undoes${isBack ? ' and redoes' : ''}`);
    this.willed(form, () => {
      undo();
      if (isBack) form.get().redo!();
    });
    if (isBack) expect(form.get().values).toEqual(values);
    else if (this.random.is(0.3) && form.get().redo) this.willed(form, () => form.get().redo!());
  }

  resolve(form: PropertyStore) {
    const { conflict } = form.get();
    const isMine = this.random.is(0.6);
    this.log(
      `${conflict!.present ? 'resolves a conflict' : 'keeps editing as a new property'}, mine: ${isMine}`,
    );
    // What the other side typed is overwritten by choice.
    if (isMine) for (const { theirs } of conflict!.conflicts) this.forgive(theirs);
    if (isMine || !conflict!.present) form.get().resolve(() => true);
    else this.willed(form, () => form.get().resolve(this.random.is(0.3) ? 'all-theirs' : () => false));
  }

  forgive(value: unknown) {
    for (const mark of this.owed.keys())
      if (value === mark || (typeof value === 'object' && JSON.stringify(value ?? '').includes(`"${mark}"`)))
        this.owed.delete(mark);
  }

  /** Another program writes over what a file holds; what forms hold unsaved is still owed. */
  overwritten(values: Readonly<Record<string, unknown>>, fields: readonly string[]) {
    for (const field of fields) {
      const value = values[field];
      const marks =
        field === 'photo'
          ? ((value ?? []) as { description?: string }[]).map((one) => one.description)
          : [value];
      for (const mark of marks) this.owed.delete(String(mark));
    }
  }

  /** Tells the forms, or some of them later. */
  async tell() {
    for (const { form } of this.tabs) if (form && this.random.is(0.8)) await form.get().reread();
  }

  async change() {
    const paths = [...this.world.files()];
    if (paths.length === 0) return;
    const [path, values] = this.random.one(paths);
    const field = this.random.one(['title', 'city', 'address']);
    this.log(`another program changes ${field} of ${path}`);
    this.overwritten(values, [field]);
    const line = `${field}: other ${++this.count}`;
    const before = this.world.read(path);
    const found = new RegExp(`^${field}:.*$`, 'm');
    this.world.write(path, found.test(before) ? before.replace(found, line) : `${before}${line}\n`);
    await this.tell();
  }

  async move() {
    const path = this.random.one([...this.world.files().keys(), '']);
    if (!path) return;
    // Paths of photos are relative: they hold in folders of the same depth.
    const folder = path.split('/').length === 3 ? `${this.random.one(['ie', 'fr', 'gr'])}/` : '';
    const to = `properties/${folder}moved-${++this.count}.yaml`;
    this.log(`another program moves ${path} to ${to}`);
    this.world.move(path, to);
    await this.tell();
  }

  async remove() {
    const [path, values] = this.random.one([...this.world.files()]) ?? [];
    if (!path) return;
    this.log(`another program deletes ${path}`);
    this.overwritten(values!, ALL);
    this.world.remove(path);
    await this.tell();
  }

  /** Work with others, which needs the network; a refusal changes nothing. */
  async share(one: Form, kind: number) {
    if (this.world.network() !== 'on') return this.network();
    this.world.enter();
    try {
      if (kind < 105) await this.removeAndRestore(one);
      else if (kind < 111) await this.record(one);
      else if (kind < 114) await this.send(one);
      else if (kind < 119) this.colleague();
      else await this.receive(one);
    } catch (error) {
      if (!(error instanceof FailedRequest)) throw error;
      this.log(`refused: ${error.failure.code} ${error.failure.message}`);
      expect(['changed-meanwhile', 'git-failed', 'not-found', 'name-taken', 'not-editable']).toContain(
        error.failure.code,
      );
    }
    await this.tell();
  }

  async removeAndRestore({ tab: { client } }: Form) {
    const [path, values] = this.random.one([...this.world.files()]) ?? [];
    if (!path) return;
    const before = this.world.read(path);
    const isAlone = this.running === 0;
    const { version } = await client.property(path);
    this.log(`removes ${path}`);
    const { photos } = await client.remove({ path, version });
    this.isRaced ||= !isAlone;
    if (this.random.is(0.3)) {
      for (const photo of photos) this.removedPhotos.add(photo);
      return this.overwritten(values!, ALL);
    }
    await client.restore({ path });
    if (isAlone) expect(this.world.read(path)).toBe(before);
  }

  async record({ tab: { client } }: Form) {
    const { files, message } = await client.changes();
    const left = new Set(files.filter(() => this.random.is(0.2)).map(({ path }) => path));
    const chosen = chosenFiles(files, left).map(({ path, version }) => ({ path, version }));
    if (chosen.length === 0) return;
    this.log(`records ${chosen.map(({ path }) => path)}`);
    await client.commit({ message: message || 'Work', files: chosen });
  }

  async send({ tab: { client } }: Form) {
    this.log('sends');
    const { unsent } = await client.push({});
    expect(unsent, 'records that are not sent').toBe(0);
  }

  /** Changes, adds or removes a property in another clone. */
  colleague() {
    const { random, world } = this;
    world.colleague((content) => {
      const files = [...world.files(content)];
      const [path, values] = random.one(files) ?? [];
      const mark = `ben ${++this.count}`;
      const kind = random.below(10);
      if (kind === 0 || !path) {
        this.log(`the colleague adds ${mark}`);
        const id = String(this.count).padStart(4, '0');
        this.sent.set(mark, 'title');
        const added = join(content, `properties/ie/ben-${this.count}.yaml`);
        mkdirSync(join(added, '..'), { recursive: true });
        writeFileSync(added, text(1, mark).replace('000000000001', `00000001${id}`));
      } else if (kind === 1 && files.length > 1) {
        this.log(`the colleague removes ${path}`);
        for (const field of ALL) this.replace(values![field]);
        rmSync(join(content, path));
      } else {
        const field = random.one(['title', 'address', 'state']);
        this.log(`the colleague changes ${field} of ${path} to ${mark}`);
        this.replace(values![field]);
        this.sent.set(mark, field);
        const before = readFileSync(join(content, path), 'utf8');
        const found = new RegExp(`^${field}:.*$`, 'm');
        const line = `${field}: ${mark}`;
        writeFileSync(
          join(content, path),
          found.test(before) ? before.replace(found, line) : `${before}${line}\n`,
        );
      }
    });
  }

  replace(value: unknown) {
    for (const mark of [...this.owed.keys(), ...this.sent.keys()])
      if (JSON.stringify(value ?? '').includes(`"${mark}"`) || isWhole(mark, value)) this.replaced.add(mark);
  }

  async receive({ tab: { client } }: Form) {
    await client.fetch({});
    let answer = await client.merge({ mark: '', choices: {} });
    for (let round = 0; answer.conflicts.length > 0 && round < 6; round++) {
      const choices = this.chosen(answer.conflicts);
      answer = await client.merge({ mark: answer.mark, choices });
    }
    this.log(`receives ${[...this.sent.keys()]}, instead of ${[...this.replaced]}`);
    if (answer.conflicts.length > 0) return;
    for (const [mark, field] of this.sent) this.owed.set(mark, field);
    for (const mark of this.replaced) this.owed.delete(mark);
    this.sent.clear();
    this.replaced.clear();
  }

  /** Chooses a side of each, and gives up the other. */
  chosen(conflicts: readonly ReceivedConflict[]): Record<string, ConflictSide> {
    const sides = conflicts.map((conflict) => {
      const side = this.random.one(['yours', 'theirs'] as const);
      this.log(`both changed ${conflict.path} ${conflict.field ?? ''}: keeps ${side}`);
      this.replace(side === 'yours' ? conflict.theirs : conflict.yours);
      this.isRaced ||= conflict.field === null;
      return [conflict.key, side] as const;
    });
    return Object.fromEntries(sides);
  }

  /** Swaps the files for those of another branch, and back. */
  async branch() {
    this.log('switches the branch');
    this.isRaced ||= this.running > 0;
    const present = new Map([...this.world.files().keys()].map((path) => [path, this.world.read(path)]));
    const next = this.stash.size > 0 ? new Map(this.stash) : new Map([[HOME, text(1, 'Rose of the branch')]]);
    for (const path of present.keys()) this.world.remove(path);
    for (const [path, file] of next) this.world.write(path, file);
    this.stash.clear();
    for (const [path, file] of present) this.stash.set(path, file);
    await this.tell();
  }

  async restart() {
    const isKilled = this.random.is(0.5);
    this.log(`the session is ${isKilled ? 'killed' : 'ended'}, and another one starts`);
    await this.world.restart(isKilled);
    if (this.random.is(0.6)) this.world.enter();
    await this.tell();
  }

  async network() {
    const next = this.random.one(['on', 'on', 'off', 'mute'] as const);
    this.log(`the network is ${next}`);
    this.world.setNetwork(next);
    if (next === 'on') this.world.enter();
    await this.tell();
  }

  /** Closes a tab at once. What it had sent may still arrive. */
  async crash(one: Form) {
    this.log('a tab crashes');
    one.form?.close();
    one.form = undefined;
    // Its running requests come to their end, unheard.
    await Promise.allSettled(this.saves);
    one.tab = openTab(this.world);
  }

  /** Brings everything into files, with a sound network. */
  async end() {
    const { world } = this;
    await Promise.allSettled(this.saves);
    this.log('the end: all is continued and saved');
    world.setNetwork('on');
    for (const one of this.tabs) {
      one.form?.close();
      one.form = undefined;
    }
    this.check('all tabs closed');
    for (let round = 0; world.kept.size > 0 && round < 40; round++) {
      const tab = openTab(world);
      const [draft] = (await tab.drafts.all()).closed;
      if (!draft) break;
      const { property, offers } = await openProperty(tab.client, tab.drafts, draft.path);
      // Its answer was lost, but all of it is in the file.
      if (!world.kept.has(draft.id)) continue;
      const offered = offers.find(({ id }) => id === draft.id) ?? offers[0];
      const path = offered ? draft.path : undefined;
      this.log(`continues the draft of ${path ?? 'elsewhere'}`);
      const moved = offered ? property : await tab.client.property({ id: String(draft.base.id ?? draft.id) });
      const taken = await tab.drafts.take((offered ?? draft).id);
      if (!taken) throw new Error('A draft cannot be continued.');
      const form = tab.open({ first: moved, draft: taken });
      for (let attempt = 0; attempt < 4; attempt++) {
        if (form.get().conflict) {
          for (const { theirs } of form.get().conflict!.conflicts) this.forgive(theirs);
          form.get().resolve(() => true);
        }
        const unfinished = Object.entries(form.get().texts);
        for (const [id, one] of unfinished) {
          this.owed.delete(one);
          form.get().type(id, undefined);
        }
        if (await form.get().save()) break;
      }
      const { failure, isDirty, conflict } = form.get();
      if (isDirty)
        throw new Error(`A draft cannot be saved: ${JSON.stringify({ failure, conflict, isDirty })}`);
      form.close();
      this.check('a draft was saved');
    }
    expect(world.kept.size, 'drafts at the end').toBe(0);
    this.check('all drafts are saved');
    for (const [path, values] of world.files()) {
      for (const { file } of (values.photo ?? []) as { file: string }[])
        if (!existsSync(world.photoAt(path, file)) && !this.removedPhotos.has(photoPath(path, file)))
          throw new Error(`${path} names ${file}, which is not there.`);
    }
    const ids = [...world.files().values()].map(({ id }) => id);
    if (this.isRaced) return;
    expect(new Set(ids).size, `a property was created twice: ${[...world.files().keys()]}`).toBe(ids.length);
  }
}

it.each(SEEDS)('loses nothing in journey %i', journey);
