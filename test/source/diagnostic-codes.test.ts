import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { check } from '../../src/compile/check.ts';
import { declaredTerms } from '../../src/contract/terms.ts';
import { editorFindings } from '../../src/dev/content/editor-findings.ts';
import { readFieldValues } from '../../src/dev/content/read-field-values.ts';
import { readConfiguration } from '../../src/source/configuration-file.ts';
import type { Diagnostic } from '../../src/source/diagnostic.ts';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../../src/source/diagnostic-codes.ts';
import { createWorkspace, type Workspace } from '../compile/workspace.ts';
import { TECHNICAL_WORDS } from '../editor/technical-words.ts';
import { animated, bomb, detailed, fileType, plain } from '../media/picture.ts';
import { FIELDS, propertyText } from './property-text.ts';
import { unprivileged } from './unprivileged.ts';

const CODE_NAMES = Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[];
const OTHER_IDS = ['5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c12', '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c13'] as const;
const [OTHER_ID] = OTHER_IDS;
const rose = (text: string | Buffer) => (workspace: Workspace) => workspace.write('rose.yaml', text);
const withPhoto =
  (bytes: Buffer | string, name = 'a.jpg') =>
  (workspace: Workspace) => {
    workspace.write(name, bytes);
    workspace.write('rose.yaml', propertyText({}, `photo:\n  - file: ${name}\n`));
  };
const photo = (lines: string) => rose(propertyText({}, `photo:\n${lines}`));

type Scenario = (workspace: Workspace) => unknown;

const TAGS = ['', '@de', '@fr', '@es', '@it', '@nl', '@pt'];

function declared(fields: string, lines: string, others = ''): Scenario {
  return (workspace) => {
    workspace.configure(`${others}fields: { ${fields} }\n`);
    workspace.write('rose.yaml', propertyText({}, `${lines}\n`));
  };
}

/** A cause of each code. A code without an entry here does not compile, and one without a cause fails. */
const SCENARIOS: Record<DiagnosticCode, Scenario> = {
  'empty-file': rose('# nothing\n'),
  'not-a-mapping': rose('- a\n'),
  'several-documents': rose(`${propertyText()}---\na: b\n`),
  'git-lfs-pointer': rose('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'),
  'not-utf8': rose(Buffer.from('title: café\n', 'latin1')),
  'file-too-large': (workspace) => {
    workspace.write('rose.yaml', '');
    truncateSync(join(workspace.content, 'rose.yaml'), 2 ** 21);
  },
  'unreadable-file': ({ content }) => symlinkSync('nothing', join(content, 'rose.yaml')),
  'unreadable-folder': ({ root, content }) => {
    chmodSync(root, 0o755);
    mkdirSync(join(content, 'closed'), { mode: 0 });
    onTestFinished(() => chmodSync(join(content, 'closed'), 0o755));
  },
  'illegible-name': (workspace) => workspace.write('a\nb.yaml', ''),
  'not-a-file': ({ content }) => execFileSync('mkfifo', [join(content, 'rose.yaml')]),
  'folder-named-like-a-file': ({ content }) => mkdirSync(join(content, 'rose.yaml')),
  'outside-content': ({ content }) => symlinkSync('..', join(content, 'up')),
  'misnamed-configuration': (workspace) => workspace.write('catalogue.yml', 'base_url: https://a.example\n'),
  'yaml-syntax': rose('title: "x\n'),
  'duplicate-key': rose(propertyText({}, 'city: x\n')),
  'too-many-aliases': rose(propertyText({}, `a: &a x\nfacilities: [${Array(200).fill('*a').join(', ')}]\n`)),
  'nested-too-deep': rose('['.repeat(100)),
  'too-many-tokens': rose('# x\n'.repeat(100_000)),
  'unknown-key': rose(propertyText({}, 'titel: x\n')),
  'merge-key': rose(propertyText({}, '<<: {state: x}\n')),
  'missing-key': rose(propertyText({ title: undefined })),
  'wrong-type': rose(propertyText({}, 'facilities: wifi\n')),
  'empty-text': rose(propertyText({ title: "''" })),
  'control-character': rose(propertyText({ title: '"a\\tb"' })),
  'direction-mark': rose(propertyText({ title: '"a\\u202eb"' })),
  'invalid-unicode': rose(propertyText({ title: '"a\\ud800b"' })),
  'too-many-marks': rose(propertyText({ title: `a${'\u0301'.repeat(31)}` })),
  'invalid-id': rose(propertyText({ id: 'rose' })),
  'reserved-id': rose(propertyText({ id: '00000000-0000-0000-0000-000000000000' })),
  placeholder: rose(propertyText({ title: "'#N/A'" })),
  'text-too-long': rose(propertyText({}, `address: ${'x'.repeat(20_001)}\n`)),
  'unknown-currency': rose(propertyText({ currency: 'Euro' })),
  'unknown-country': rose(propertyText({ country: 'Ireland' })),
  'invalid-email': rose(propertyText({ email: 'rose' })),
  'invalid-phone': rose(propertyText({ phone: '1' })),
  'invalid-latitude': rose(propertyText({ latitude: '91' })),
  'invalid-longitude': rose(propertyText({ longitude: '181' })),
  'title-too-long': rose(propertyText({ title: 'x'.repeat(501) })),
  'long-title': rose(propertyText({ title: 'x'.repeat(121) })),
  'repeated-facility': rose(propertyText({}, 'facilities: [WiFi, Wi-Fi]\n')),
  'city-too-long': rose(propertyText({ city: 'x'.repeat(121) })),
  'invalid-time': rose(propertyText({}, 'live_from: 01/04/2027\n')),
  'live-times-reversed': rose(propertyText({}, 'live_from: 2027-04-01\nlive_until: 2027-03-31\n')),
  'no-longer-live': rose(propertyText({}, 'live_until: 2020-09-30\n')),
  'overdue-draft': rose(propertyText({}, 'draft: true\nlive_from: 2020-04-01\n')),
  'invalid-boolean': rose(propertyText({}, 'payment_method: [{is_enabled: yes, method_type: direct}]\n')),
  'unknown-method-type': rose(propertyText({}, 'payment_method: [{is_enabled: true, method_type: cash}]\n')),
  'photo-source': photo('  - description: x\n'),
  'needless-thumbnail': photo('  - file: a.jpg\n    thumbnail: https://a.example/b.jpg\n'),
  'invalid-url': photo('  - url: http://p.example/a.jpg\n'),
  'invalid-photo-path': photo('  - file: /a.jpg\n'),
  'logo-unusable': (workspace) => workspace.write('catalogue.yaml', 'logo: logo.svg\n'),
  'photo-missing': photo('  - file: a.jpg\n'),
  'photo-outside-content': photo('  - file: ../a.jpg\n'),
  'photo-unreadable': (workspace) => {
    mkdirSync(join(workspace.content, 'a.jpg'));
    workspace.write('rose.yaml', propertyText({}, 'photo:\n  - file: a.jpg\n'));
  },
  'photo-corrupt': async (workspace) =>
    withPhoto((await detailed(200, 200).jpeg().toBuffer()).subarray(0, 2000))(workspace),
  'photo-unsupported': withPhoto(fileType('heic', 'mif1'), 'a.heic'),
  'photo-too-large': withPhoto(bomb(50_000, 50_000), 'a.png'),
  'photo-animated': async (workspace) => withPhoto(await animated('gif'), 'a.gif')(workspace),
  'invalid-position': photo('  - {file: a.jpg, position: 0}\n'),
  'duplicate-position': photo('  - {file: a.jpg, position: 2}\n  - {file: b.jpg}\n'),
  'duplicate-photo': photo('  - file: a.jpg\n  - file: a.jpg\n'),
  'duplicate-id': (workspace) => {
    workspace.write('a.yaml', propertyText());
    workspace.write('b.yaml', propertyText({ id: FIELDS.id.toUpperCase() }));
  },
  'similar-city': (workspace) => {
    workspace.write('a.yaml', propertyText());
    workspace.write('b.yaml', propertyText({ id: OTHER_ID, city: 'GALWAY' }));
  },
  'missing-email': rose(propertyText({ email: undefined })),
  'missing-phone': rose(propertyText({ phone: undefined })),
  'doubtful-phone': rose(propertyText({ phone: '+353 67 000 0000' })),
  'doubtful-postal-code': rose(propertyText({}, 'zip_code: 75001\n')),
  'doubtful-coordinates': rose(propertyText({ latitude: '0', longitude: '0' })),
  'text-changed': rose(propertyText({ title: "' x'" })),
  'null-text': rose(propertyText({}, 'state: null\n')),
  'doubtful-placeholder': rose(propertyText({}, 'state: n/a\n')),
  'garbled-text': rose(propertyText({ city: 'MÃ¼nchen' })),
  'lost-character': rose(propertyText({ title: 'M\ufffdnchen' })),
  'html-text': rose(propertyText({ title: 'Smith &amp; Sons' })),
  'odd-character': rose(propertyText({ city: 'Bad\u00a0Ischl' })),
  'text-behind-hash': rose(propertyText({ title: 'Sea House #5' })),
  'long-text': rose(propertyText({}, `address: ${'x'.repeat(5001)}\n`)),
  'typographic-quotes': rose(propertyText({ city: '“Galway”' })),
  'upper-case-id': rose(propertyText({ id: FIELDS.id.toUpperCase() })),
  'unknown-facility': (workspace) => {
    workspace.configure('vocabulary: {facilities: [wifi]}\n');
    workspace.write('rose.yaml', propertyText({}, 'facilities: [wi-fi]\n'));
  },
  'unknown-policy-type': (workspace) => {
    workspace.configure('vocabulary: {policy_types: [check_in]}\n');
    workspace.write('rose.yaml', propertyText({}, 'hotel_policy: [{policy_type: checkin, detail: x}]\n'));
  },
  'invalid-value': declared('max_guests: {}', 'max_guests: six'),
  'out-of-range': declared('stars: {}', 'stars: 7'),
  'invalid-link': declared('website: {}', 'website: www.rose.example'),
  'invalid-language': declared('spoken_languages: {}', 'spoken_languages: [EN]'),
  'unknown-choice': declared('property_type: {}', 'property_type: Cottage'),
  'too-many-entries': declared(
    'registration_number: {}',
    `registration_number: [${Array.from({ length: 101 }, (_, index) => `n${index}`).join(', ')}]`,
  ),
  'repeated-entry': declared('spoken_languages: {}', 'spoken_languages: [en, en]'),
  'detail-too-large': declared(
    'a: { type: lines, translate: true }, b: { type: lines, translate: true }',
    ['a', 'b'].flatMap((name) => TAGS.map((tag) => `${name}${tag}: ${'x'.repeat(20_000)}`)).join('\n'),
    'languages: [en, de, fr, es, it, nl, pt]\n',
  ),
  'undeclared-field': (workspace) => {
    for (let n = 1; n <= 21; n++)
      workspace.write(`${n === 1 ? 'rose' : n}.yaml`, propertyText({ id: randomUUID() }, 'sauna: wood\n'));
  },
  'invalid-setting': (workspace) => workspace.configure('page_sizes: [10]\n'),
  'doubtful-cache-control': (workspace) => workspace.configure('cache_control: { api: public }\n'),
  'retired-setting': (workspace) => workspace.configure('remote_photos: link\n'),
};

async function diagnosticsOf({ content, out }: Workspace): Promise<readonly Diagnostic[]> {
  return (await check({ content, out, jobs: 1 })).diagnostics;
}

describe('a code', () => {
  it.each(CODE_NAMES)('%s is raised, with its severity', async (code) => {
    const workspace = createWorkspace();
    await SCENARIOS[code](workspace);
    const diagnostics =
      code === 'unreadable-folder'
        ? await unprivileged(() => diagnosticsOf(workspace))
        : await diagnosticsOf(workspace);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    for (const diagnostic of diagnostics)
      expect(diagnostic.severity).toBe(DIAGNOSTIC_CODES[diagnostic.code].severity);
    expectFormWords(code, workspace, diagnostics);
  });
});

/** The editor's form says the same without names of fields, YAML and names of standards (C19). */
function expectFormWords(code: DiagnosticCode, { content }: Workspace, diagnostics: readonly Diagnostic[]) {
  if (NOT_IN_FORM.has(code)) return;
  const file = join(content, 'rose.yaml');
  const text = existsSync(file) && statSync(file).size < 2 ** 20 ? readFileSync(file, 'utf8') : '';
  const { usable } = readConfiguration(content);
  const found = editorFindings(diagnostics, {
    text,
    values: readFieldValues(text),
    terms: declaredTerms(usable),
  });
  expect(found.map((finding) => finding.code)).toContain(code);
  for (const { message, help, fix } of found) {
    const words = [message, help, fix?.label ?? ''].join(' ');
    expect(words).not.toMatch(TECHNICAL_WORDS);
    expect(message).toMatch(/^["A-Z].*[.?]$/s);
  }
}

/** Codes of the configuration and of folders, which no form shows. */
const NOT_IN_FORM: ReadonlySet<DiagnosticCode> = new Set([
  'unreadable-file',
  'unreadable-folder',
  'illegible-name',
  'not-a-file',
  'folder-named-like-a-file',
  'outside-content',
  'logo-unusable',
  'misnamed-configuration',
  'invalid-setting',
  'doubtful-cache-control',
  'retired-setting',
]);

/** YAML remains when its comments are removed. */
const isYaml = (text: string) => text.replace(/^\s*#.*$/gm, '').trim() !== '';

/** An example put into a valid property, in place of the fields that it or its repair has. */
function merged(code: DiagnosticCode, part: 'example' | 'repaired'): string {
  const entry = DIAGNOSTIC_CODES[code];
  const fields = [...`${entry.example}\n${entry.repaired}`.matchAll(/^(\w+):/gm)].map(([, field]) => field);
  const others = propertyText({}, 'zip_code: D02 AF30\n')
    .split(/^/m)
    .filter((line) => !fields.includes(line.slice(0, line.indexOf(':'))));
  // An example without a field is a whole file.
  return entry[part].startsWith('-') ? entry[part] : `${others.join('')}${entry[part]}\n`;
}

/** A content folder with the files that the examples name. */
async function exampleFolder() {
  const workspace = createWorkspace();
  const words = 'vocabulary: {facilities: [wifi, parking], policy_types: [check_in]}\n';
  workspace.configure(words);
  for (const id of OTHER_IDS) {
    workspace.write(`dublin/${id}.yaml`, propertyText({ id, city: 'Dún Laoghaire' }));
  }
  const jpeg = await plain(32, 32, '#123456').jpeg().toBuffer();
  for (const name of ['front', 'garden', 'a', 'b', 'IMG_5195']) workspace.write(`houses/${name}.jpg`, jpeg);
  workspace.write('photos/front.jpg', jpeg);
  workspace.write('houses/IMG_5195.HEIC', fileType('heic', 'mif1'));
  workspace.write('houses/tour.gif', await animated('gif'));
  writeFileSync(join(workspace.root, 'secret.jpg'), jpeg);
  return {
    declare: (fields: string) => workspace.configure(`${words}fields: ${fields}\n`),
    codes: async (text: string) => {
      workspace.write('houses/rose.yaml', text);
      const diagnostics = await diagnosticsOf(workspace);
      return diagnostics.filter(({ file }) => file === 'houses/rose.yaml').map(({ code }) => code);
    },
    configurationCodes: async (text: string) => {
      workspace.configure(text);
      return (await diagnosticsOf(workspace)).map(({ code }) => code);
    },
  };
}

describe('the example of a code', () => {
  const withYaml = CODE_NAMES.filter((code) => isYaml(DIAGNOSTIC_CODES[code].example));

  it('is YAML for most codes', () => expect(withYaml.length).toBeGreaterThanOrEqual(40));

  it.each(withYaml)('of %s raises it, and its repair does not', async (code) => {
    const folder = await exampleFolder();
    if (['invalid-setting', 'retired-setting', 'doubtful-cache-control'].includes(code)) {
      expect(await folder.configurationCodes(DIAGNOSTIC_CODES[code].example)).toEqual([code]);
      expect(await folder.configurationCodes(DIAGNOSTIC_CODES[code].repaired)).toEqual([]);
      return;
    }
    const [, fields] = /^# fields: (\{.*\}) in catalogue.yaml$/m.exec(DIAGNOSTIC_CODES[code].example) ?? [];
    if (fields) folder.declare(fields);
    expect(await folder.codes(merged(code, 'example'))).toContain(code);
    expect(await folder.codes(merged(code, 'repaired'))).toEqual([]);
  });
});
