/** What the form of a new property begins with. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { catalogueResponse } from '../../src/dev/api/catalogue-response.ts';
import type { EditContext } from '../../src/dev/api/edit-context.ts';
import { createUncheckedFileIndex } from '../../src/dev/session/file-index.ts';
import type { Session } from '../../src/dev/session/session.ts';
import type { EditorClient } from '../../src/editor/client.ts';
import type { PhotoStore } from '../../src/editor/photo-url-store.ts';
import { newPropertyPreset } from '../../src/editor/property-opening.ts';
import { createPropertyStore } from '../../src/editor/property-state.ts';
import type { UnsavedDraft, UnsavedDraftStore } from '../../src/editor/unsaved-drafts.ts';
import { readConfiguration } from '../../src/source/configuration-file.ts';
import { writeStarter } from '../../src/start/starter.ts';
import { temporaryFolder } from '../support/temporary.ts';

const COUNTRIES = [
  { code: 'IE', name: 'Ireland', synonyms: [], currency: 'EUR' },
  { code: 'AQ', name: 'Antarctica', synonyms: [], currency: null },
];

it.each([
  [{ IE: ['Seaview'] }, { country: 'IE', currency: 'EUR' }],
  [{ AQ: ['McMurdo'] }, { country: 'AQ' }],
  [{ IE: ['Seaview'], AQ: ['McMurdo'] }, {}],
  [{}, {}],
])('of a catalogue with towns %j is %j', (cities, preset) => {
  expect(newPropertyPreset({ cities, countries: COUNTRIES })).toEqual(preset);
});

it('after init is the country that was asked for', async () => {
  const folder = temporaryFolder();
  const about = { title: 'Stays', baseUrl: 'https://stays.example', package: '1.2.3' };
  writeStarter(folder, { ...about, country: 'JP', currency: 'JPY' });
  const content = join(folder, 'content');
  const session: Partial<Session> = {
    content,
    shown: () => undefined,
    configuration: () => readConfiguration(content).usable,
    index: () => createUncheckedFileIndex(content),
  };
  const catalogue = await catalogueResponse({ session } as EditContext);
  expect(newPropertyPreset(catalogue)).toEqual({ country: 'JP', currency: 'JPY' });
});

it('is nothing that was typed, and is sent and kept with what is typed', () => {
  const kept: UnsavedDraft[] = [];
  const dropped: string[] = [];
  const drafts: Partial<UnsavedDraftStore> = {
    hold: async () => true,
    release: () => {},
    keep: (draft) => void kept.push(draft),
    drop: (id) => void dropped.push(id),
  };
  const fakes = { client: {} as EditorClient, drafts: drafts as UnsavedDraftStore, store: {} as PhotoStore };
  const preset = { country: 'IE', currency: 'EUR' };
  const { get, close } = createPropertyStore({ ...fakes, first: null, preset });
  expect(get()).toMatchObject({ values: preset, fields: preset, isDirty: false, undo: undefined });
  get().edit({ path: ['title'], value: 'Rose' });
  expect(get()).toMatchObject({ fields: { ...preset, title: 'Rose' }, isDirty: true });
  expect(kept.at(-1)).toMatchObject({ path: null, base: preset, values: { ...preset, title: 'Rose' } });
  get().undo!();
  expect(get()).toMatchObject({ values: preset, isDirty: false });
  expect(dropped).toEqual([kept[0]!.id]);
  get().edit({ path: ['country'], value: null });
  expect(get()).toMatchObject({ fields: { currency: 'EUR' }, isDirty: true });
  close();
  const draft = { ...kept[0]!, photos: new Map() };
  const again = createPropertyStore({ ...fakes, first: null, preset: {}, draft });
  expect(again.get()).toMatchObject({ fields: { ...preset, title: 'Rose' }, isDirty: true });
  again.get().undo!();
  expect(again.get()).toMatchObject({ values: preset, isDirty: false });
  again.close();
});
