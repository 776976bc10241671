/** The editor's labels, helps and reasons are words of its readers (C19). */
import { describe, expect, it } from 'vitest';
import { entryFields, FIELD_NAMES, fieldOf } from '../../src/contract/fields.ts';
import { FORM_REASONS } from '../../src/dev/content/read-only-reason.ts';
import { sectionsOf } from '../../src/editor/sections.ts';
import { TECHNICAL_WORDS } from './technical-words.ts';

describe('words of the form', () => {
  /** Fields without a control, and those whose control has words of its own. */
  const own = new Set(['id', 'title', 'country', 'currency', 'latitude', 'longitude']);

  it.each(FIELD_NAMES.filter((name) => !own.has(name)))('%s', (name) => {
    const { label, help, description } = fieldOf(name);
    expect(`${label}. ${help ?? description}`).not.toMatch(TECHNICAL_WORDS);
    for (const { label } of entryFields(name).values()) expect(label).not.toMatch(TECHNICAL_WORDS);
  });

  it.each(Object.entries(FORM_REASONS))('reason %s', (_reason, words) => {
    expect(words).not.toMatch(TECHNICAL_WORDS);
  });

  it('sections', () => {
    const fields = FIELD_NAMES.map((name) => ({ name, group: fieldOf(name).group }));
    for (const { title, lead } of sectionsOf({ fields } as never))
      expect(`${title}. ${lead}`).not.toMatch(TECHNICAL_WORDS);
  });

  it('the test knows what it looks for', () => {
    for (const text of ['live_until', '`url`', 'Add "country: IE"', 'ISO 3166-1', 'U+200E'])
      expect(text).toMatch(TECHNICAL_WORDS);
  });
});
