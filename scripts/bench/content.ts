import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeCatalogue } from '../make-catalogue.ts';

export type Sizes = 'all' | readonly number[];

/** @param name `declared`: with declared fields and a second language */
export function makeContent(
  folder: string,
  properties: number,
  sizes: Sizes,
  name: 'content' | 'declared' = 'content',
): void {
  makeCatalogue({ folder: join(folder, name), count: properties, withFields: name === 'declared' });
  const settings = join(folder, name, 'catalogue.yaml');
  if (sizes !== 'all') appendFileSync(settings, `\npage_sizes: [${sizes.join(', ')}]\n`);
}

export function propertyFiles(content: string): string[] {
  const root = join(content, 'properties');
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.yaml'))
    .sort()
    .map((path) => join(root, path));
}

/** `content`: made by {@link makeContent}. Each call changes the bytes of some files. */
export function editableContent(content: string) {
  const paths = propertyFiles(content);
  const added: string[] = [];
  let serial = 0;
  return {
    /** Changes the titles of a share of all properties, at least one; the same properties each time. */
    retitle(share: number): void {
      serial++;
      const step = Math.max(1, Math.floor(1 / share));
      // From the middle: a change costs more the more of the sequence follows it.
      for (let place = Math.floor(Math.min(step, paths.length) / 2); place < paths.length; place += step)
        writeFileSync(paths[place]!, withTitle(readFileSync(paths[place]!, 'utf8'), `Title ${serial}`));
    },
    add(): void {
      const beside = paths[Math.floor(paths.length / 2)]!;
      const id = `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}`;
      const path = beside.replace(/-[0-9a-f]{8}\.yaml$/, `-added-${serial}.yaml`);
      writeFileSync(path, readFileSync(beside, 'utf8').replace(/^id: .*$/m, `id: ${id}`));
      added.push(path);
    },
    /** Removes the last added property. */
    remove(): void {
      unlinkSync(added.pop()!);
    },
  };
}

export function withTitle(yaml: string, title: string): string {
  return yaml.replace(/^title: .*$/m, `title: ${title}`);
}

export function digestOf(out: string, parts = ['public', 'edge']): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const entries = readdirSync(join(out, part), { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    for (const path of paths.sort()) hash.update(`${relative(out, path)}\0`).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 12);
}
