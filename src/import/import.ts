/** `import`: properties of another source, as files of the content folder. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { freePath } from '../editing/file-name.ts';
import { propertyYaml } from '../editing/property-text.ts';
import { readConfigurationBytes, scan } from '../pipeline/scan.ts';
import { checkConfiguration } from '../source/configuration-file.ts';
import { diagnose } from '../source/diagnostic.ts';
import { type Candidate, type Finding, findingOf, judge, toPropertyFile } from './candidate.ts';
import { type PhotoOptions, placePhotos, withoutLinkForms } from './photos.ts';

/** What to do with what a source has. */
export type ImportOptions = {
  /** The content folder; made when it is missing. */
  readonly content: string;
  /** Replaces the files of properties that are there already. */
  readonly force: boolean;
  /** Downloads photos that are links. */
  readonly photos: boolean;
  /** Origin of the service, for its photos. */
  readonly trusted?: string | undefined;
  /** Folder of the source file, for photos that it names by path. */
  readonly from?: string | undefined;
  /** Hears of each candidate that was looked at. */
  readonly onDone?: (outcome: Outcome) => void;
};

/** What came of one candidate. */
export type Outcome = {
  /** Where it stands in the source. */
  readonly at: string;
  /** Its file, relative to the content folder; undefined when it was not written. */
  readonly path: string | undefined;
  readonly kind: 'written' | 'replaced' | 'present' | 'refused';
  readonly findings: readonly Finding[];
};

/** What came of an import. */
export type ImportResult = {
  readonly written: number;
  readonly replaced: number;
  /** Properties that were there already, and were left alone. */
  readonly present: number;
  readonly refused: number;
  /** Of those with something to tell. */
  readonly outcomes: readonly Outcome[];
};

/** What a content folder has. */
export type Present = {
  /** Paths of properties, by id. */
  readonly paths: ReadonlyMap<string, string>;
  /** Paths of all YAML files. */
  readonly files: ReadonlySet<string>;
};

/**
 * Finds what a content folder has. The folder is made when it is missing.
 *
 * @throws the error of the file system.
 */
export function findPresent(content: string): Present {
  mkdirSync(content, { recursive: true });
  const { files } = scan(resolve(content));
  const paths = new Map<string, string>();
  for (const { path } of files) {
    const text = readFileSync(join(content, path), 'utf8');
    const [, id] = /^id:[ \t]*["']?([0-9a-f-]{36})/im.exec(text) ?? [];
    if (id !== undefined) paths.set(id.toLowerCase(), path);
  }
  return { paths, files: new Set(files.map(({ path }) => path)) };
}

/**
 * Writes what fits, and tells of the rest. A file is written whole or not at all; an import that was interrupted goes
 * on when it is run again.
 *
 * @throws what the source throws; the error of the file system.
 */
export async function importProperties(
  source: AsyncIterable<Candidate>,
  present: Present,
  options: ImportOptions,
): Promise<ImportResult> {
  const content = resolve(options.content);
  const { configuration } = checkConfiguration(readConfigurationBytes(content));
  const vocabulary = configuration?.vocabulary ?? {};
  const taken = new Set(present.files);
  const firsts = new Map<string, string>();
  const counts = { written: 0, replaced: 0, present: 0, refused: 0 };
  const outcomes: Outcome[] = [];
  const photoOptions: PhotoOptions = {
    content,
    download: options.photos,
    trusted: options.trusted,
    from: options.from,
  };

  async function take({ at, raw, findings }: Candidate): Promise<Outcome> {
    const refused = (found: readonly Finding[]): Outcome => ({
      at,
      path: undefined,
      kind: 'refused',
      findings: found,
    });
    if (!raw) return refused(findings);
    const { raw: meant, links } = options.photos ? withoutLinkForms(raw) : { raw, links: [] };
    const judged = judge(meant, vocabulary);
    const found = [...findings, ...judged.findings];
    const { property } = judged;
    if (!property) return refused(found);
    const first = firsts.get(property.id);
    if (first !== undefined) {
      const twice = diagnose('duplicate-id', '', null, { id: property.id, other: first });
      return refused([...found, { ...findingOf(twice), field: 'id' }]);
    }
    firsts.set(property.id, at);
    const old = present.paths.get(property.id);
    if (old !== undefined && !options.force) return { at, path: old, kind: 'present', findings: [] };
    const path = old ?? freePath(property, (path) => taken.has(path)).path;
    taken.add(path);
    const placed = await placePhotos(property, links, path, photoOptions);
    const text = propertyYaml(toPropertyFile(placed.property));
    put(join(content, path), text, options.force);
    const kind = old === undefined ? 'written' : 'replaced';
    return { at, path, kind, findings: [...found, ...placed.findings] };
  }

  for await (const candidate of source) {
    const outcome = await take(candidate);
    counts[outcome.kind]++;
    if (outcome.findings.length > 0) outcomes.push(outcome);
    options.onDone?.(outcome);
  }
  return { ...counts, outcomes };
}

/** Writes a file whole or not at all, and over another one only when that is meant. */
function put(path: string, text: string, force: boolean): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.importing-${process.pid}`);
  try {
    writeFileSync(temporary, text);
    if (force) renameSync(temporary, path);
    else linkSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
