/** A content folder and an output folder for one test. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from '../../src/compile/build.ts';
import type { BuildOptions, BuildResult } from '../../src/compile/context.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Fields of a property, as text, lists and mappings. */
export type Fields = Record<string, unknown>;

export type Workspace = ReturnType<typeof createWorkspace>;

/** A valid property without warnings. `n` makes its id; given fields replace others, or remove them as undefined. */
export function sound(n: number, fields: Fields = {}): Fields {
  return {
    id: idOf(n),
    title: `House ${n}`,
    currency: 'EUR',
    email: `stay${n}@house.example`,
    phone: '+353 1 605 7700',
    city: 'Galway',
    country: 'IE',
    latitude: '53.27194',
    longitude: '-9.04889',
    ...fields,
  };
}

export function idOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** Flow style is YAML too: JSON text needs no quoting rules. */
export function yaml(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');
}

export function createWorkspace() {
  const root = temporaryFolder();
  const content = join(root, 'content');
  const out = join(root, 'dist');
  mkdirSync(content);
  const path = (name: string) => join(content, name);
  return {
    root,
    content,
    out,
    public: join(out, 'public'),
    write(name: string, text: string | Uint8Array): void {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    add(n: number, fields: Fields = {}, name = `house-${n}.yaml`): void {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), yaml(sound(n, fields)));
    },
    remove(name: string): void {
      rmSync(path(name), { recursive: true });
    },
    /** Few sizes keep a test fast; the tests of all sizes use `all`. */
    configure(text: string): void {
      writeFileSync(path('catalogue.yaml'), text);
    },
    build(options: BuildOptions = {}): Promise<BuildResult> {
      return build({ content, out, jobs: 1, ...options });
    },
    read(key: string): string {
      return readFileSync(join(out, 'public', key), 'utf8');
    },
    json(key: string): unknown {
      return JSON.parse(readFileSync(join(out, 'public', key), 'utf8'));
    },
    tree: (folder = join(out, 'public')) => readTree(folder),
    /** The text of a file of the content. */
    file: (name: string) => readFileSync(path(name), 'utf8'),
  };
}

/** Every file below a folder with its bytes, by path. */
export function readTree(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length + 1), readFileSync(path, 'latin1'));
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
