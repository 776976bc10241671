/** A new catalogue: its files, the existing files that stay, and that all of it is valid. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { check } from '../../src/compile/check.ts';
import { COUNTRIES } from '../../src/contract/country-and-currency-tables.ts';
import type { HostName } from '../../src/contract/hosts.ts';
import { STANDARD_FIELD_TABLE } from '../../src/contract/terms.ts';
import { readTerms } from '../../src/source/configuration-file.ts';
import { placeDoubt, pointInCountry } from '../../src/source/coordinates-check.ts';
import { exampleProperty, findExample, removeExample } from '../../src/start/example.ts';
import { pipelineConflict } from '../../src/start/pipeline.ts';
import { askStartQuestions, mainCurrencyOf, settingProblem } from '../../src/start/questions.ts';
import { type StarterValues, writeStarter } from '../../src/start/starter.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

const START: StarterValues = {
  title: 'Stays: "by the sea"',
  baseUrl: 'https://stays.example',
  country: 'IE',
  currency: 'EUR',
  package: '1.2.3',
};

let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('a new repository', () => {
  it('has a pipeline, and learns when that is of another host', () => {
    writeStarter(root, START);
    for (const host of ['r2-worker', 'gcs'] as const) expect(pipelineConflict(root, host)).toBeUndefined();
    expect(pipelineConflict(root, 'nginx')).toBe(
      'The pipeline, .github/workflows/publish.yml, does not publish to nginx: remove it, and run "catalogue init . --host nginx".',
    );
    rmSync(join(root, '.github/workflows/publish.yml'));
    expect(pipelineConflict(root, 'nginx')).toBeUndefined();
    rmSync(join(root, '.github/workflows/preview.yml'));
    writeStarter(root, { ...START, host: 'nginx' });
    // That host has no previews.
    expect(existsSync(join(root, '.github/workflows/preview.yml'))).toBe(false);
    expect(
      ['nginx', 'node', 'r2-worker'].map((host) => Boolean(pipelineConflict(root, host as HostName))),
    ).toEqual([...[false, false, true]]);
    const said = runCli({ root } as Parameters<typeof runCli>[0], ['check']).stderr;
    expect(said).not.toContain('The pipeline');
  });

  it('passes the check without a warning, with pictures and a vocabulary (G, E7)', async () => {
    const { written, left } = writeStarter(root, START);
    expect(left).toEqual([]);
    expect(written).toEqual(
      expect.arrayContaining([
        ...['.github/workflows/check.yml', '.github/workflows/publish.yml', '.gitignore', '.gitlab-ci.yml'],
        ...['README.md', 'content/catalogue.yaml', 'content/properties/ie/rose-cottage.yaml'],
        ...['content/property.schema.json', 'package.json'],
      ]),
    );
    expect(written.every((path) => existsSync(join(root, path)))).toBe(true);
    const { diagnostics } = await check({ content: join(root, 'content'), out: join(root, 'dist'), jobs: 1 });
    expect(diagnostics).toEqual([]);
    expect(parse(read('content/catalogue.yaml'))).toMatchObject({
      title: START.title,
      base_url: START.baseUrl,
      vocabulary: { facilities: { extend: [expect.any(String)] } },
    });
    const { photo } = parse(read('content/properties/ie/rose-cottage.yaml'));
    expect(photo).toHaveLength(3);
    expect(JSON.stringify(parse(read('content/property.schema.json')))).toContain('free_parking');
  });

  it.each<[HostName, string[]]>([
    ['nginx', ['check.yml', 'import.yml', 'publish.yml']],
    ['gcs', ['check.yml', 'images.yml', 'import.yml', 'preview.yml', 'publish.yml', '.gitlab-ci.yml']],
    ['gitlab-pages', ['.gitlab-ci.yml']],
  ])('brings the pipelines that can work at %s', (host, expected) => {
    const { written } = writeStarter(root, { ...START, host });
    const pipelines = written.filter((path) => /^\.github\/workflows\/|^\.gitlab-ci\.yml$/.test(path));
    expect(pipelines.map((path) => path.replace('.github/workflows/', ''))).toEqual(expected);
  });

  it('contains no placeholder, and depends on this version', () => {
    const { written } = writeStarter(root, START);
    for (const path of written.filter((name) => !name.endsWith('.jpg')))
      expect(read(path), path).not.toContain('@@');
    expect(JSON.parse(read('package.json')).devDependencies).toEqual({ 'property-catalogue': '1.2.3' });
    expect(JSON.parse(read('package.json')).name).toMatch(/^catalogue-/);
  });

  it('overwrites nothing: existing files and properties stay, and are named', () => {
    mkdirSync(join(root, 'content/properties'), { recursive: true });
    writeFileSync(join(root, 'content/properties/own.yaml'), 'id: x\n');
    writeFileSync(join(root, 'README.md'), 'Mine\n');
    const { written, left } = writeStarter(root, START);
    expect(left).toEqual(['README.md']);
    expect(read('README.md')).toBe('Mine\n');
    expect(written.filter((path) => path.startsWith('content/properties'))).toEqual([]);
    const again = writeStarter(root, { ...START, title: 'Another' });
    expect(again.written).toEqual([]);
    expect(again.left).toContain('content/catalogue.yaml');
    expect(again.left).toEqual(again.left.toSorted());
    expect(read('content/catalogue.yaml')).not.toContain('Another');
  });

  it('adds to package.json and .gitignore, and keeps the lines of the owner (A7)', () => {
    const own = { name: 'site', scripts: { dev: 'vite', build: 'vite build' }, dependencies: { vite: '7' } };
    writeFileSync(join(root, 'package.json'), `${JSON.stringify(own, null, 4)}\n`);
    writeFileSync(join(root, '.gitignore'), '/dist/\nsecret');
    const { changed, next } = writeStarter(root, START);
    expect(changed).toEqual(['.gitignore', 'package.json']);
    expect(next).toEqual(['npx catalogue dev --open', 'npm run edit  # a form for editors']);
    const merged = JSON.parse(read('package.json'));
    expect(merged).toMatchObject({ ...own, devDependencies: { 'property-catalogue': '1.2.3' } });
    expect(merged.scripts).toMatchObject({ check: 'catalogue check', edit: 'catalogue dev --edit' });
    expect(read('package.json')).toMatch(/^\{\n {4}"name"/);
    expect(read('.gitignore')).toBe('/dist/\nsecret\nnode_modules/\nstays-live/\n');
    const { changed: again } = writeStarter(root, { ...START, package: '1.2.4' });
    expect([again, JSON.parse(read('package.json'))]).toEqual([[], merged]);
  });

  it('has an example with a value of each declared field in English, and in French where that is declared', async () => {
    writeStarter(root, START);
    const content = join(root, 'content');
    const { fields } = readTerms(content);
    const example = parse(read('content/properties/ie/rose-cottage.yaml')) as Record<string, unknown>;
    const names = [...fields.attributes.keys()];
    expect(
      names.filter((name) => typeof example[name] !== 'string' && typeof example[name] !== 'number'),
    ).toEqual([]);
    expect(parse(read('content/catalogue.yaml'))).toMatchObject({ language: 'en' });
    const { diagnostics, languages } = await check({ content });
    expect([diagnostics, languages]).toEqual([[], undefined]);

    const other = join(root, 'other');
    mkdirSync(join(other, 'content'), { recursive: true });
    writeFileSync(
      join(other, 'content/catalogue.yaml'),
      read('content/catalogue.yaml').replace('language: en', 'languages: [en, fr]'),
    );
    writeStarter(other, START);
    expect(await check({ content: join(other, 'content') })).toMatchObject({
      diagnostics: [],
      languages: { fr: { title: { texts: 1 } } },
    });
  });

  it('has an example that is found until somebody changes it, and removed with its photos', () => {
    writeStarter(root, START);
    const content = join(root, 'content');
    expect(findExample(join(content, 'nowhere'))).toBeUndefined();
    const path = findExample(content)!;
    expect(path).toBe('properties/ie/rose-cottage.yaml');
    const text = read(`content/${path}`);
    writeFileSync(join(content, path), text.replace('max_guests: 4', 'max_guests: 5'));
    expect(findExample(content)).toBeUndefined();
    writeFileSync(join(content, path), text);
    removeExample(content, path);
    const files = readdirSync(content, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /rose|jpg/.test(file) && file.includes('.'))).toEqual([]);
  });

  it('adds to a catalogue without declared fields an example without them', async () => {
    mkdirSync(join(root, 'content'));
    writeFileSync(join(root, 'content/catalogue.yaml'), 'base_url: https://stays.example\n');
    writeStarter(root, START);
    expect(await check({ content: join(root, 'content') })).toMatchObject({ diagnostics: [], files: 1 });
  });

  it('writes nothing beside a package.json that cannot be read', () => {
    writeFileSync(join(root, 'package.json'), '{ "name": ');
    expect(() => writeStarter(root, START)).toThrow('package.json is no JSON object');
    expect(readdirSync(root)).toEqual(['package.json']);
  });

  it('starts in any country, with the example property in it', () => {
    for (const country of Object.keys(COUNTRIES)) {
      const { latitude, longitude } = exampleProperty(country, 'EUR', STANDARD_FIELD_TABLE);
      expect([country, placeDoubt(country, { latitude, longitude })]).toEqual([country, undefined]);
    }
    expect(pointInCountry('XX')).toBeUndefined();
  });
});

describe('the questions', () => {
  it('offer the usual answers, and accept them with Enter', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    const output = new PassThrough();
    let said = '';
    let answered = 0;
    const stop = setInterval(() => {
      const questions = ['Title', 'Address', 'Host', 'Country', 'Currency'].filter((word) =>
        said.includes(word),
      ).length;
      if (questions > answered) {
        answered = questions;
        input.write('\r');
      }
    }, 20);
    onTestFinished(() => clearInterval(stop));
    output.on('data', (bytes) => (said += bytes));
    const { package: _version, ...settings } = START;
    expect(await askStartQuestions({}, settings, { input, output })).toEqual(settings);
    const given = { ...settings, host: 'nginx' } as const;
    expect(await askStartQuestions(given, settings, { input, output })).toEqual(given);
  });

  it('validate settings as a build does', () => {
    expect(settingProblem('base_url', 'stays.example')).toContain('https://');
    expect(settingProblem('base_url', 'https://stays.example/api')).toBeUndefined();
    expect(settingProblem('title', '')).toBe('Expected a text.');
    expect([mainCurrencyOf('GB'), mainCurrencyOf('XX')]).toEqual(['GBP', undefined]);
  });
});

describe('catalogue init', () => {
  const run = (...args: string[]) =>
    runCli({ root } as Parameters<typeof runCli>[0], ['init', ...args, '--no-install'], {
      LC_ALL: 'en_GB.UTF-8',
    });

  it('uses the defaults without a terminal, and ends with the next commands', () => {
    const { status, stdout, stderr } = run('sea-stays', '--yes');
    expect([status, stdout.split('\n')]).toEqual([0, expect.arrayContaining(['sea-stays/package.json'])]);
    expect(stderr).toMatch(
      / {2}cd sea-stays\n {2}npm install\n {2}npm run dev\n {2}npm run edit {2}# a form for editors\n$/,
    );
    expect(stderr).toMatch(/How to publish it: https:\S+\/docs\/hosting\/README\.md\n/);
    const chosen = run('lake-stays', '--yes', '--host', 'nginx').stderr;
    expect(chosen).toMatch(/How to publish it: https:\S+\/docs\/hosting\/nginx\.md\n/);
    // The workflow publishes to it before it copies.
    expect(read('sea-stays/.gitignore')).toContain('stays-live/\n');
    expect(read('sea-stays/content/catalogue.yaml')).toContain('title: Sea stays\n');
    expect(read('sea-stays/content/properties/gb/rose-cottage.yaml')).toContain('currency: GBP\n');
    expect(run('sea-stays').stderr).toContain('Left as it was: sea-stays/package.json\n');
  });

  it.each([
    [['--country', 'Ireland'], '--country: Ireland is not a code of ISO 3166-1 alpha-2. Give one such as IE'],
    [['--currency', 'eur'], '--currency: eur is not a code of ISO 4217.'],
    [['--base-url', 'ftp://x'], '--base-url: Expected a URL'],
    [['--title', ''], '--title: Expected a text.'],
  ])('refuses %s, and writes nothing', (options, message) => {
    const { status, stderr } = run('x', ...options);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(join(root, 'x'))).toBe(false);
  });
});
