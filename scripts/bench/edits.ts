/** Changes to a content folder, as an editor makes them. */
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A content folder whose properties can be changed. */
export type EditableContent = {
  /** Gives `share` of all properties, one at least, another title; the same ones each time it is called. */
  readonly retitle: (share: number) => void;
  /** Adds a property beside another one. */
  readonly add: () => void;
  /** Removes the property that was added last. */
  readonly remove: () => void;
};

/** Opens a content folder made by `makeCatalogue`. Every call changes the bytes of what it names. */
export function editableContent(folder: string): EditableContent {
  const paths = readdirSync(join(folder, 'properties'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .sort()
    .map((path) => join(folder, 'properties', path));
  const original = new Map<string, string>();
  const textOf = (path: string): string => {
    const text = original.get(path) ?? readFileSync(path, 'utf8');
    original.set(path, text);
    return text;
  };
  const added: string[] = [];
  let serial = 0;
  return {
    retitle(share) {
      serial++;
      const step = Math.max(1, Math.floor(1 / share));
      // From the middle: the cost of a change depends on how much of the sequence stands behind it.
      for (let place = Math.floor(Math.min(step, paths.length) / 2); place < paths.length; place += step) {
        writeFileSync(paths[place]!, withTitleSuffix(textOf(paths[place]!), ` ${serial}`));
      }
    },
    add() {
      const beside = paths[Math.floor(paths.length / 2)]!;
      const id = `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}`;
      const path = beside.replace(/-[0-9a-f]{8}\.yaml$/, `-added-${serial}.yaml`);
      writeFileSync(path, withTitleSuffix(textOf(beside), ` ${serial}`).replace(/^id: .*$/m, `id: ${id}`));
      added.push(path);
    },
    remove() {
      const path = added.pop();
      if (path === undefined) throw new Error('expected an added property to remove');
      unlinkSync(path);
    },
  };
}

/** The YAML of a property with more at the end of its title, which may be quoted. */
export function withTitleSuffix(yaml: string, suffix: string): string {
  return yaml.replace(/^(title: .*?)(["']?)$/m, (_line, title: string, quote: string) =>
    quote !== '' && title.startsWith(`title: ${quote}`)
      ? `${title}${suffix}${quote}`
      : `${title}${quote}${suffix}`,
  );
}
