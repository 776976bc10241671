import { describe, expect, it } from 'vitest';
import { FIELD_NAMES, fieldOf } from '../../src/contract/fields.ts';
import { controlId, findingsAt, findingsElsewhere, findingTally } from '../../src/editor/findings.ts';
import { countByCondition, filterRows, NO_LIST_FILTER } from '../../src/editor/list-filter.ts';
import { sectionsOf } from '../../src/editor/sections.ts';
import { editorQuery, parseEditorView } from '../../src/editor/url-state.ts';

describe('the sections of the form', () => {
  const info = (name: string, group: string) =>
    ({ name, group }) as Parameters<typeof sectionsOf>[0]['fields'][number];
  const fields = FIELD_NAMES.map((name) => info(name, fieldOf(name).group));

  it('contain every field but the id, each once', () => {
    const shown = sectionsOf({ fields }).flatMap((section) => section.fields.map(({ name }) => name));
    expect(shown.toSorted()).toEqual(FIELD_NAMES.filter((name) => name !== 'id').toSorted());
  });

  it('have a place for an unknown field of a known group', () => {
    const [first] = sectionsOf({ fields: [...fields, info('stars', 'rating')] });
    expect(first?.fields.map(({ name }) => name)).toContain('stars');
  });
});

describe('findings', () => {
  const finding = (field: (string | number)[] | null, severity: 'error' | 'warning' = 'error') => ({
    code: 'x',
    severity,
    message: '',
    help: '',
    field,
    line: null,
    fix: null,
  });
  const all = [
    finding(['title']),
    finding(['photo', 1, 'file'], 'warning'),
    finding(null),
    finding(['colour']),
  ];

  it('are shown beside their field, within their list, or above the form', () => {
    expect(findingsAt(all, ['title'])).toEqual([all[0]]);
    expect([findingsAt(all, ['photo']), findingsAt(all, ['photo'], true)]).toEqual([[], [all[1]]]);
    expect(findingsElsewhere(all, new Set(['title', 'photo']))).toEqual([all[2], all[3]]);
    expect([findingTally(all), findingTally([]), findingTally(all.slice(0, 1))]).toEqual([
      '3 errors, 1 warning',
      '',
      '1 error',
    ]);
    expect(controlId(['photo', 1, 'file'])).toBe('field-photo-1-file');
  });
});

describe('the list', () => {
  const row = (title: string, more: object = {}) => ({
    path: `properties/${title}.yaml`,
    id: title,
    title,
    city: 'Αθήνα',
    country: 'GR',
    state: 'live' as const,
    errors: 0,
    warnings: 0,
    changed: null,
    thumbnailVersion: 0,
    ...more,
  });
  const rows = [
    row('Étoile'),
    row('Rose', { state: 'draft', country: 'IE' }),
    row('Sea', { errors: 1, changed: 'added' }),
  ];
  const found = (part: object) =>
    filterRows(rows, { ...NO_LIST_FILTER, ...part }, nameOf).map(({ title }) => title);
  const nameOf = (code: string) => ({ GR: 'Greece', IE: 'Ireland Éire' })[code] ?? code;

  it('shows the properties that match a search, ignoring case and accents', () => {
    expect([found({}), found({ text: 'etoile αθ' }), found({ text: 'rose', country: 'GR' })]).toEqual([
      ['Étoile', 'Rose', 'Sea'],
      ['Étoile'],
      [],
    ]);
    expect((['errors', 'changed', 'unpublished'] as const).map((condition) => found({ condition }))).toEqual([
      ['Sea'],
      ['Sea'],
      ['Rose'],
    ]);
    // A city in another alphabet is found by its country's name.
    expect([found({ text: 'greece' }), found({ text: 'eire ros' })]).toEqual([['Étoile', 'Sea'], ['Rose']]);
    // By a word that another English spells with one letter more, where none has it exactly.
    const near = filterRows([row('The Harbour'), row('Rose')], { ...NO_LIST_FILTER, text: 'harbor' }, nameOf);
    expect(near.map(({ title }) => title)).toEqual(['The Harbour']);
    expect(countByCondition(rows)).toEqual({ all: 3, errors: 1, changed: 1, unpublished: 1 });
  });
});

describe('the address of the editor', () => {
  it('contains the view', () => {
    for (const view of [
      { kind: 'list', filter: NO_LIST_FILTER },
      { kind: 'list', filter: { text: 'a & b', country: 'GR', condition: 'errors' } },
      { kind: 'new' },
      { kind: 'changes' },
      { kind: 'property', path: 'properties/gr/α & b.yaml' },
      { kind: 'id', id: '088a09b6-4237-506e-9e85-c513813b815f' },
    ] as const)
      expect(parseEditorView(editorQuery(view))).toEqual(view);
  });
});
