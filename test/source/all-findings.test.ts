import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/compile/check.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { createWorkspace } from '../compile/workspace.ts';
import { termsFrom } from '../support/terms.ts';
import { FIELDS, propertyText } from './property-text.ts';

const POLICIES =
  'hotel_policy:\n  - policy_type: check_in\n    detail: From 15:00.\n  - policy_type: no_show\n    detail: x\n';
const PHOTOS = `photo:
  - url: https://photos.example/a.jpg
    description: The garden
  - url: https://photos.example/b.jpg
  - url: https://photos.example/c.jpg
    position: 3
`;
const METHODS = 'payment_method:\n  - is_enabled: true\n    method_type: direct\n';

/** One fault: its change of a line of a valid property, and the code that reports it. */
type Planted = { readonly line: string; readonly faulty: string; readonly code: string };

// Each of them is in a line of its own, and independent of the others.
const FAULTS: readonly Planted[] = [
  { line: `id: ${FIELDS.id}`, faulty: 'id: rose', code: 'invalid-id' },
  { line: `id: ${FIELDS.id}`, faulty: '', code: 'missing-key' },
  { line: `title: ${FIELDS.title}`, faulty: "title: ''", code: 'empty-text' },
  { line: `title: ${FIELDS.title}`, faulty: 'name: Rose', code: 'unknown-key' },
  { line: `currency: ${FIELDS.currency}`, faulty: 'currency: Euro', code: 'unknown-currency' },
  { line: `email: ${FIELDS.email}`, faulty: 'email: *stay', code: 'yaml-syntax' },
  { line: `email: ${FIELDS.email}`, faulty: 'email: stay', code: 'invalid-email' },
  { line: `email: ${FIELDS.email}`, faulty: '', code: 'missing-email' },
  { line: `phone: ${FIELDS.phone}`, faulty: 'phone: +353 67 000 0000', code: 'doubtful-phone' },
  { line: `phone: ${FIELDS.phone}`, faulty: 'phone: 1\nphone: +353 1 605 7700', code: 'duplicate-key' },
  { line: `city: ${FIELDS.city}`, faulty: 'city: Gal\u0007way', code: 'control-character' },
  { line: `city: ${FIELDS.city}`, faulty: "city: ' Galway'", code: 'text-changed' },
  { line: `city: ${FIELDS.city}`, faulty: 'city:\n  - Galway', code: 'wrong-type' },
  { line: `country: ${FIELDS.country}`, faulty: 'country: Ireland', code: 'unknown-country' },
  { line: `latitude: ${FIELDS.latitude}`, faulty: 'latitude: 53,27', code: 'invalid-latitude' },
  { line: `latitude: ${FIELDS.latitude}`, faulty: 'lat: 53.27', code: 'unknown-key' },
  { line: `longitude: ${FIELDS.longitude}`, faulty: 'longitude: 9.04 W', code: 'invalid-longitude' },
  { line: '  - policy_type: check_in', faulty: '  - type: check_in', code: 'unknown-key' },
  { line: '    detail: x', faulty: '    detail: ~', code: 'null-text' },
  { line: '  - policy_type: no_show', faulty: '  - policy_type:', code: 'missing-key' },
  { line: '  - url: https://photos.example/a.jpg', faulty: '  - url: http://a.example', code: 'invalid-url' },
  { line: '    description: The garden', faulty: '    description: "a\\tb"', code: 'control-character' },
  { line: '  - url: https://photos.example/b.jpg', faulty: '  - file: nowhere.jpg', code: 'photo-missing' },
  { line: '    position: 3', faulty: '    position: 2', code: 'duplicate-position' },
  { line: '  - is_enabled: true', faulty: '  - is_enabled: yes', code: 'invalid-boolean' },
  { line: '    method_type: direct', faulty: '    method_type: cash', code: 'unknown-method-type' },
];

const LINES = [...new Set(FAULTS.map(({ line }) => line))];
/** A fault for each line, or none. */
const planted = fc
  .tuple(...LINES.map((line) => fc.option(fc.constantFrom(...FAULTS.filter((fault) => fault.line === line)))))
  .map((faults) => faults.filter((fault) => fault !== null));

/** A sound property with faults planted in it. */
function textWith(faults: readonly Planted[]): string {
  let text = propertyText({}, POLICIES + PHOTOS + METHODS);
  for (const { line, faulty } of faults) text = text.replace(`${line}\n`, faulty === '' ? '' : `${faulty}\n`);
  return text;
}

/** The expected codes. */
const expected = (faults: readonly Planted[]): string[] => faults.map(({ code }) => code).sort();

describe('the findings', () => {
  it('of one file are all reported at once (E8)', () => {
    fc.assert(
      fc.property(planted, (faults) => {
        const text = textWith(faults);
        const { diagnostics } = checkPropertyFile(Buffer.from(text), 'rose.yaml', termsFrom());
        // The check of a folder looks for the photo.
        const wanted = expected(faults).filter((code) => code !== 'photo-missing');
        expect(diagnostics.map(({ code }) => code).sort()).toEqual(wanted);
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });

  it('of all files, photos and settings are all reported in one run (E8)', async () => {
    await fc.assert(
      fc.asyncProperty(planted, planted, fc.boolean(), async (one, other, isSetting) => {
        const workspace = createWorkspace();
        workspace.configure(isSetting ? 'page_sizes: [10]\n' : 'page_sizes: [25]\n');
        const isCounted = ({ line }: Planted) => !line.startsWith('id:') && !line.startsWith('city:');
        const [faultsOfOne, faultsOfOther] = [one.filter(isCounted), other.filter(isCounted)];
        workspace.write('a.yaml', textWith(faultsOfOne));
        workspace.write('b.yaml', textWith(faultsOfOther));
        const { content, out } = workspace;
        const { diagnostics } = await check({ content, out, jobs: 1 });
        const codes = [
          ...expected(faultsOfOne),
          ...expected(faultsOfOther),
          // Both have one id, whatever other faults they have.
          ...['duplicate-id', 'duplicate-id'],
          ...(isSetting ? ['invalid-setting'] : []),
        ];
        expect(diagnostics.map(({ code }) => code).sort()).toEqual(codes.sort());
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });

  it('of a build are those of the check, even if the build is refused (E8)', async () => {
    const workspace = createWorkspace();
    workspace.configure('page_sizes: [10]\n');
    workspace.write('broken.jpg', 'no photo');
    workspace.write('a.yaml', propertyText({ country: 'Ireland' }, 'photo:\n  - file: broken.jpg\n'));
    workspace.write('b.yaml', propertyText({ title: '"x' }));
    const { outcome, diagnostics } = await workspace.build();
    const { content, out } = workspace;
    expect(outcome).toBe('refused');
    expect(diagnostics).toEqual((await check({ content, out, jobs: 1 })).diagnostics);
    expect(diagnostics.map(({ code }) => code).sort()).toEqual([
      'invalid-setting',
      'photo-unsupported',
      'unknown-country',
      'yaml-syntax',
    ]);
  });
});
