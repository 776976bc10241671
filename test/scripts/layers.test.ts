import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layerOf, upwardImports } from '../../scripts/layers.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Imports that go up in a small project with the given files. */
function upwardIn(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return upwardImports(root);
}

describe('the layers of the source', () => {
  it('puts a file into the layer with the longest path that fits', () => {
    expect(layerOf('errors/errors.ts')).toBe(0);
    expect(layerOf('tree/format/root.ts')).toBeLessThan(layerOf('release/release.ts'));
    expect(layerOf('tree/objects.ts')).toBeGreaterThan(layerOf('release/release.ts'));
    expect(layerOf('cli.ts')).toBeGreaterThan(layerOf('commands/build.ts'));
  });

  it('refuses a folder that belongs to no layer', () => {
    expect(() => layerOf('helpers/everything.ts')).toThrow('src/helpers/everything.ts is in no layer');
  });
});

describe('imports that go up', () => {
  const target = { 'src/report/pretty.ts': 'export type Line = string;\n', 'test/one.ts': '' };

  it.each([
    ['a value', `import { line } from '../report/pretty.ts';`],
    ['a type', `import type { Line } from '../report/pretty.ts';`],
    ['a re-export', `export * from '../report/pretty.ts';`],
    ['a module loaded later', `const load = () => import('../report/pretty.ts');`],
    ['names over several lines', `import {\n  line,\n} from '../report/pretty.ts';`],
    ['a type in place', `type Line = import('../report/pretty.ts').Line;`],
  ])('finds %s', (_name, text) => {
    expect(upwardIn({ ...target, 'src/source/read.ts': text })).toEqual([
      'src/source/read.ts -> src/report/pretty.ts',
    ]);
  });

  it('finds imports of test code in the product', () => {
    const files = { ...target, 'src/source/read.ts': `import '../../test/one.ts';` };
    expect(upwardIn(files)).toEqual(['src/source/read.ts -> test/one.ts']);
  });

  it('leaves out imports that go down, those of packages, and examples in comments', () => {
    const text = ` * import '../dev/dev.ts';\nimport { z } from 'zod';\nimport { read } from '../source/read.ts';\n`;
    expect(upwardIn({ 'src/source/read.ts': '', 'src/report/pretty.ts': text })).toEqual([]);
  });
});
