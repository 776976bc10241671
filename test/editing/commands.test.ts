import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasSchema, outdatedSchemas } from '../../src/editing/schema-file.ts';
import { createWorkspace, type Workspace } from '../compile/workspace.ts';
import { detailed } from '../media/picture.ts';
import { propertyText } from '../source/property-text.ts';
import { runCli } from '../support/run-cli.ts';

const NEEDED = [
  ...['--title', 'Rose Cottage', '--country', 'IE', '--city', 'Galway', '--currency', 'EUR'],
  ...['--latitude', '53.27194', '--longitude=-9.04889'],
];

const textOf = ({ root }: Workspace, path: string) => readFileSync(join(root, path), 'utf8');

describe('new', () => {
  it('writes the values of its options, and asks nothing', async () => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.root, 'pictures'));
    const photo = await detailed(60, 40).jpeg().toBuffer();
    for (const name of ['Front.JPG', 'back.jpg'])
      writeFileSync(join(workspace.root, 'pictures', name), photo);
    const { status, stdout, stderr } = runCli(workspace, [
      'new',
      ...NEEDED,
      ...['--email', 'stay@rose.example', '--phone', '+353 1 605 7700', '--zip-code', 'H91 AY2R'],
      ...['--state', 'Connacht', '--address', '12 Quay Street', '--facility', 'wifi', 'garden'],
      ...['--photo', 'pictures/Front.JPG', 'pictures/back.jpg'],
    ]);
    expect(stderr).toBe(
      'Wrote it. Next: "catalogue dev" shows it while you edit, "catalogue check" judges all files.\n',
    );
    expect(stdout).toBe('content/properties/ie/rose-cottage.yaml\n');
    expect(status).toBe(0);
    const text = textOf(workspace, 'content/properties/ie/rose-cottage.yaml');
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/\.\.\/property\.schema\.json\n/);
    expect(parse(text)).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      title: 'Rose Cottage',
      country: 'IE',
      zip_code: 'H91 AY2R',
      state: 'Connacht',
      address: '12 Quay Street',
      facilities: ['wifi', 'garden'],
      photo: [
        { file: '../../photos/ie/rose-cottage/front.jpg' },
        { file: '../../photos/ie/rose-cottage/back.jpg' },
      ],
    });
    expect(existsSync(join(workspace.content, 'property.schema.json'))).toBe(true);
    expect(runCli(workspace, ['format', '--check']).status).toBe(0);
    expect(runCli(workspace, ['build']).status).toBe(0);
    // The currency is that of other properties in the country; the file name is free.
    const again = NEEDED.filter((word) => word !== '--currency' && word !== 'EUR');
    expect(runCli(workspace, ['new', ...again]).stdout).toBe(
      'content/properties/ie/rose-cottage-galway.yaml\n',
    );
  });

  it('refuses missing options, and invalid values', () => {
    const workspace = createWorkspace();
    const refused: [string[], string][] = [
      [
        ['new'],
        'missing-options: Give --title, --currency, --city, --country, --latitude, --longitude. Or run "catalogue dev --edit", whose form asks for every field.\n',
      ],
      [['new', ...NEEDED.slice(2)], 'missing-options: Give --title. Or run'],
      [['new', ...NEEDED, '--country', 'Ireland'], 'invalid-option: --country: "Ireland" is not the code'],
      [['new', ...NEEDED, '--latitude', '91'], 'invalid-option: --latitude: '],
      [['new', ...NEEDED, '--photo', 'none.jpg'], 'There is no photo'],
      [['new', ...NEEDED, '--titel', 'x'], "unknown option '--titel'"],
    ];
    for (const [args, message] of refused) {
      const { status, stdout, stderr } = runCli(workspace, args);
      expect(stderr).toContain(message);
      expect([status, stdout], args.join(' ')).toEqual([2, '']);
    }
    expect(readdirSync(workspace.content)).toEqual([]);
  });
});

describe('format', () => {
  const messy = `# Ours.\ntitle: "Rose Cottage"\n${propertyText({ title: undefined, phone: '"+353 1 605 7700"' })}`;

  it('writes files in one form, and lists those that it changed', () => {
    const workspace = createWorkspace();
    workspace.write('messy.yaml', messy);
    workspace.write('rose.yaml', propertyText({ id: '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c12' }));
    const check = runCli(workspace, ['format', '--check']);
    expect([check.status, check.stdout]).toEqual([1, 'content/messy.yaml\n']);
    expect(check.stderr).toBe('Not formatted: 1 file of 2. Run "catalogue format".\n');
    expect(textOf(workspace, 'content/messy.yaml')).toBe(messy);

    const { status, stdout, stderr } = runCli(workspace, ['format']);
    expect([status, stdout, stderr]).toEqual([0, 'content/messy.yaml\n', 'Formatted 1 file of 2.\n']);
    const text = textOf(workspace, 'content/messy.yaml');
    expect(text).toContain('# Ours.\n');
    expect(Object.keys(parse(text)).slice(0, 2)).toEqual(['id', 'title']);
    expect(text).toContain('\ntitle: Rose Cottage\n');
    const again = runCli(workspace, ['format', '--check']);
    expect([again.status, again.stdout, again.stderr]).toEqual([0, '', 'Formatted already: 2 files.\n']);
  });

  it('formats the given files, and reports those that it cannot read', () => {
    const workspace = createWorkspace();
    workspace.write('a.yaml', messy);
    workspace.write('b.yaml', messy);
    expect(runCli(workspace, ['format', 'content/b.yaml']).stdout).toBe('content/b.yaml\n');
    expect(textOf(workspace, 'content/a.yaml')).toBe(messy);
    expect(runCli(workspace, ['format', 'none.yaml']).status).toBe(2);

    const broken = 'id: "x\ntitle: y\n';
    workspace.write('b.yaml', broken);
    const { status, stdout, stderr } = runCli(workspace, ['format']);
    expect([status, stdout]).toEqual([1, 'content/a.yaml\n']);
    expect(stderr).toMatch(/content\/b\.yaml:\d+:\d+ {2}error /);
    expect(textOf(workspace, 'content/b.yaml')).toBe(broken);
  });
});

describe('schema', () => {
  it('writes a JSON Schema with the vocabulary of the catalogue, as a build does', () => {
    const workspace = createWorkspace();
    workspace.configure('vocabulary:\n  facilities: [Garden, Sauna]\n');
    const { status, stdout, stderr } = runCli(workspace, ['schema', '--out', 'made']);
    expect([status, stdout, stderr]).toEqual([
      0,
      'made/property.schema.json\nmade/catalogue.schema.json\n',
      '',
    ]);
    const text = textOf(workspace, 'made/property.schema.json');
    const schema = JSON.parse(text);
    expect(JSON.stringify(schema)).toContain('"Sauna"');
    expect(() => new Ajv({ strict: false, validateFormats: false }).compile(schema)).not.toThrow();
    rmSync(join(workspace.root, 'made'), { recursive: true });
    writeFileSync(join(workspace.root, 'made'), 'a file where a folder is needed');
    expect(runCli(workspace, ['schema', '--out', 'made']).status).toBe(3);
  });

  it('writes the schema beside catalogue.yaml, where it is committed, and format keeps it current (E11)', () => {
    const workspace = createWorkspace();
    expect(runCli(workspace, ['schema']).stdout).toBe(
      'content/property.schema.json\ncontent/catalogue.schema.json\n',
    );
    workspace.remove('catalogue.schema.json');
    workspace.configure('vocabulary: {facilities: [sauna]}\n');
    const line = '# yaml-language-server: $schema=../dist/property.schema.json\n';
    workspace.write('properties/ie/rose.yaml', line + propertyText());
    const check = runCli(workspace, ['format', '--check']);
    expect([check.status, check.stdout]).toEqual([
      1,
      'content/property.schema.json\ncontent/properties/ie/rose.yaml\n',
    ]);
    expect(runCli(workspace, ['format']).status).toBe(0);
    expect(textOf(workspace, 'content/property.schema.json')).toContain('"sauna"');
    expect(existsSync(join(workspace.content, 'catalogue.schema.json'))).toBe(false);
    expect(textOf(workspace, 'content/properties/ie/rose.yaml')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/property\.schema\.json\n/,
    );
    expect(runCli(workspace, ['format', '--check']).status).toBe(0);
  });

  it('has written the committed schema of the shipped catalogue (E11)', () => {
    const content = fileURLToPath(new URL('../../content', import.meta.url));
    expect([hasSchema(content), outdatedSchemas(content)]).toEqual([true, []]);
  });
});

describe('check --fix', () => {
  it('makes safe repairs, lists what and where, and leaves the others to people', () => {
    const workspace = createWorkspace();
    const id = '5F3C1C1E-8D0A-4C56-9A59-3F6F0A8F3C11';
    workspace.write('rose.yaml', propertyText({ id, title: '" Rose Cottage "', country: 'ie' }));
    workspace.write('other.yaml', propertyText({ id: idIn('12'), country: 'Atlantis' }));
    const first = runCli(workspace, ['check', '--fix', 'content/rose.yaml']);
    expect(first.stderr).toContain('content/rose.yaml:7:10  repaired country\n  "ie" → "IE"\n');
    expect(first.stderr).toContain('  "5F3C1C1E');
    expect(first.stderr).toContain('Repaired 3 values in 1 file.\n');
    expect([first.status, first.stdout]).toEqual([0, '']);
    expect(parse(textOf(workspace, 'content/rose.yaml'))).toMatchObject({
      id: id.toLowerCase(),
      title: 'Rose Cottage',
      country: 'IE',
    });

    const rest = runCli(workspace, ['check', '--fix', '--format', 'json']);
    expect(rest.status).toBe(1);
    expect(JSON.parse(rest.stdout)).toMatchObject({
      diagnostics: [{ code: 'unknown-country', file: 'content/other.yaml' }],
      repaired: [],
    });
    expect(textOf(workspace, 'content/other.yaml')).toContain('country: Atlantis\n');
  });

  it('gives the reason and the line for a repair that would change something else (M16)', () => {
    const workspace = createWorkspace();
    const text = propertyText({}, 'state: &s Munster &amp; co\naddress: *s\n');
    workspace.write('rose.yaml', text);
    workspace.write('braces.yaml', `{ title: Rose, country: Ireland }\n`);
    const { stderr } = runCli(workspace, ['check', '--fix']);
    const line = text.split('\n').findIndex((one) => one.startsWith('state')) + 1;
    expect(stderr).toContain(
      `content/rose.yaml:${line}:11  not repaired state\n  "Munster &amp; co" → "Munster & co"\n  The value has an anchor (&) or an alias (*), so another value depends on it. Change it in a text editor.\n`,
    );
    expect(stderr).toContain(`content/rose.yaml:${line + 1}:10  not repaired address\n`);
    expect(stderr).toContain(
      'content/braces.yaml:1:25  not repaired country\n  "Ireland" → "IE"\n  The file is written between braces. Run "catalogue format" on it first.\n',
    );
    expect(stderr).toContain('Nothing that could be repaired safely.\n');
    expect(textOf(workspace, 'content/rose.yaml')).toBe(text);
    workspace.write('rose.yaml', text.replace('country: IE', 'country: Ireland'));
    expect(runCli(workspace, ['check', '--fix']).stderr).toContain('Repaired 1 value in 1 file.\n');
  });
});

const idIn = (end: string) => `5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c${end}`;

it('format --check fails for a file that cannot be formatted, and says why (D10)', () => {
  const workspace = createWorkspace();
  workspace.write('a.yaml', propertyText({ title: '&t Rose' }));
  workspace.write('b.yaml', propertyText());
  workspace.write('d.yaml', propertyText({}, '<<: { state: x }\n'));
  const { status, stderr } = runCli(workspace, ['format', '--check']);
  expect(stderr).toContain('content/a.yaml has an anchor (&) in line 2.\n');
  expect(stderr).toContain('content/d.yaml has a merge key (<<) in line 10.\n');
  expect(stderr).toContain('Formatted already, apart from those above: 1 file.\n');
  expect(status).toBe(1);
  expect(runCli(workspace, ['format']).status).toBe(0);
  workspace.write('c.yaml', propertyText({}, 'title: Again\n'));
  expect(runCli(workspace, ['format']).stderr).toContain('apart from those above: 1 file.\n');
});
