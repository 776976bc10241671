/** The published package: its entries, their types, and the size of the client. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/clone.ts';
import { installPackage, packPackage } from '../support/installed-package.ts';

/** TypeScript 5, a dependency of "are the types wrong". */
const TSC_5 = createRequire(createRequire(import.meta.url).resolve('@arethetypeswrong/core')).resolve(
  'typescript/bin/tsc',
);
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const { folder, archive, files, unpackedSize } = await installPackage();
const tarball = readFileSync(archive);

describe('the package', () => {
  it('holds what it needs, and nothing else', () => {
    for (const path of [
      'lib/cli.js',
      'lib/client/index.js',
      'lib/client/schema-org.js',
      'lib/client/index.d.ts',
      'lib/docs/index.html',
    ]) {
      expect(files).toContain(path);
    }
    expect(files.filter((path) => /^(?:src|test|scripts|content|node_modules)\//.test(path))).toEqual([]);
  });

  it('installs what its bundles lack, and little else', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(Object.keys(manifest.dependencies)).toEqual(['open', 'sharp', 'zod']);
    const code = files.filter((path) => /^lib\/(?:client\/)?[^/]*\.js$/.test(path));
    const named = code.flatMap((path) => [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?:\bfrom|\bimport\()["'`]([@\w][^"'`]*)["'`]/g),
    ]);
    const outside = new Set(named.map(([, name = '']) => name).filter((name) => !isBuiltin(name)));
    expect([...outside].sort()).toEqual([
      '@azure/storage-blob',
      '@e965/xlsx',
      'libheif-js/wasm-bundle.js',
      'open',
      'sharp',
    ]);
    // 1.7 MB of them are towns.
    expect(unpackedSize).toBeLessThan(16_000_000);
  });

  it('passes publint', async () => {
    const pack = { tarball: new Uint8Array(tarball).buffer };
    const { messages, pkg } = await publint({ pack, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);
  });

  it('has correct types for every kind of import', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    if (!analysis.types) return expect.unreachable();
    // Equals the profile "esm-only", which excludes require() and the resolution of Node 10.
    const others = new Set(['node10', 'node16-cjs']);
    const problems = analysis.problems.filter(
      (problem) => !('resolutionKind' in problem && others.has(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
    expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['.', './client']));
  });
});

describe('the package of the client', () => {
  const CLIENT = join(ROOT, 'packages/client');
  const manifest = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

  it('has the metadata of the whole package, and no dependencies (B6)', () => {
    const [own, whole] = [manifest(CLIENT), manifest(ROOT)];
    for (const field of ['version', 'license', 'homepage', 'bugs', 'engines', 'type'])
      expect(own[field]).toEqual(whole[field]);
    expect(own.repository).toEqual({ ...whole.repository, directory: 'src/client' });
    expect(Object.keys(own).filter((field) => /dependencies/i.test(field))).toEqual([]);
    expect(readFileSync(join(CLIENT, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  });

  it('holds the same client, and passes publint and the type checks of importers', async () => {
    const packed = await packPackage(CLIENT);
    expect(packed.files.filter((path) => !path.endsWith('.d.ts')).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/client/index.js',
      'dist/client/schema-org.js',
      'dist/client/search.js',
      'package.json',
    ]);
    const code = (path: string) => readFileSync(path, 'utf8');
    expect(code(join(CLIENT, 'dist/client/index.js'))).toBe(code(join(ROOT, 'lib/client/index.js')));
    const bytes = new Uint8Array(readFileSync(packed.archive));
    const { messages, pkg } = await publint({ pack: { tarball: bytes.slice().buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);
    const analysis = await checkPackage(createPackageFromTarballData(bytes));
    const others = new Set(['node10', 'node16-cjs']);
    expect(
      analysis.types &&
        analysis.problems.filter((one) => !('resolutionKind' in one && others.has(one.resolutionKind))),
    ).toEqual([]);
  });
});

describe('the client', () => {
  const PROGRAM = `import { createClient, ProblemError, type Property } from 'property-catalogue/client';
const client = createClient({ baseUrl: 'https://stays.example', cache: new Map() });
export async function program(): Promise<void> {
  const page = await client.listProperties({ country: 'IE' }, { signal: AbortSignal.timeout(1000) });
  export_(await client.getProperty(page.data[0]!.id));
  const { release } = await client.getIndex();
  for await (const { id, photo } of client.downloadProperties({ release })) console.log(id, photo.length);
  for await (const event of client.followChanges({ since: release })) {
    if (event.kind === 'changes') console.log(event.changes.added.length);
  }
  for await (const { title, thumbnail } of client.iterateProperties({ city: 'Cork' })) console.log(title, thumbnail?.length);
}
function export_(property: Property): string { return property.payment_method[0]?.method_type === 'direct' ? '' : 'x'; }
export const codeOf = (error: unknown) => error instanceof ProblemError && error.code === 'not-found';
`;

  /** The package without its dependencies: the client needs none of them. */
  function alone(): string {
    const place = join(folder, 'alone');
    const installed = join(place, 'node_modules/property-catalogue');
    if (!existsSync(installed)) {
      cpSync(join(folder, 'node_modules/property-catalogue'), installed, {
        recursive: true,
        filter: (path) => !path.endsWith(join('property-catalogue', 'node_modules')),
      });
    }
    return place;
  }

  function check(program: string, lib: string, options: object = {}, tsc = TSC): string {
    const place = alone();
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      module: 'node16',
      target: 'es2022',
      lib: lib.split(','),
      types: [],
      ...options,
    };
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    writeFileSync(join(place, 'program.ts'), program);
    try {
      return execFileSync(process.execPath, [tsc, '-p', '.'], { cwd: place, encoding: 'utf8' });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  // `foreign-tools.deep.test.ts` does the same with TypeScript 5.4.
  it.each([
    ['7, node16', TSC, { module: 'node16', moduleResolution: 'node16' }],
    ['7, bundler', TSC, { module: 'esnext', moduleResolution: 'bundler' }],
    ['5, node16', TSC_5, { module: 'node16', moduleResolution: 'node16' }],
    ['5, bundler', TSC_5, { module: 'esnext', moduleResolution: 'bundler' }],
  ])('has self-contained types, checked whole, in TypeScript %s (B6)', (_what, tsc, options) => {
    expect(check(PROGRAM, 'es2022,dom', options, tsc)).toBe('');
  });

  it('has types for pages and workers, without the types of Node', () => {
    expect(check(PROGRAM, 'es2023,dom')).toBe('');
    expect(check(PROGRAM, 'es2023,webworker')).toBe('');
    expect(check(PROGRAM.replace('property.payment_method', 'property.prices'), 'es2023,dom')).toContain(
      "Property 'prices' does not exist",
    );
    expect(check(PROGRAM.replace("=== 'not-found'", "=== 'not-fuond'"), 'es2023,dom')).toContain('TS2367');
  });

  it.each([
    ['client', 'client/index.js', 6500],
    ['client/search', 'client/search.js', 5000],
  ])('%s imports nothing, and takes so many bytes compressed', async (name, path, most) => {
    const entry = join(folder, 'entry.js');
    writeFileSync(entry, `export * from 'property-catalogue/${name}';`);
    const [{ output }] = (await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        target: 'es2022',
        lib: { entry, formats: ['es'] },
        rolldownOptions: { output: { minify: true } },
      },
    })) as [Rolldown.RolldownOutput];
    const [{ code, moduleIds }] = output;
    const shipped = readFileSync(join(folder, 'node_modules/property-catalogue/lib', path));
    for (const bytes of [shipped, Buffer.from(code)])
      expect(gzipSync(bytes, { level: 9 }).length).toBeLessThan(most);
    expect(output).toHaveLength(1);
    const modules = moduleIds.filter((module) => module !== entry);
    expect(modules.map((module) => module.replace(/.*property-catalogue\//, ''))).toEqual([`lib/${path}`]);
    expect(code).not.toMatch(/\bimport\b|\brequire\b|process\./);
  });
});
