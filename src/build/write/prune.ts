/**
 * Removes what earlier builds left behind, when no state names them: files whose keys a build would give,
 * and that the release does not have. Everything else below `dist/public` stays.
 */
import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CITY_LISTS_FOLDER, POINTS_FOLDER } from '../../contract/document-keys.ts';
import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  CURRENT_KEY,
  ID_PATTERN,
  MEDIA_FOLDER,
  PAGES_FOLDER,
  PARTS_FOLDER,
  PROBLEMS_FOLDER,
  PROPERTIES_FOLDER,
  ROOTS_FOLDER,
  SEQUENCE_FOLDER,
} from '../../contract/keys.ts';
import { pageCount } from '../../contract/pagination.ts';
import { ifThere, removeFolder } from '../../folder.ts';

/** What a release has. */
export type KeptFiles = {
  /** Total of each scope, by the key of its folder. */
  readonly totals: ReadonlyMap<string, number>;
  readonly sizes: readonly number[];
  readonly ids: ReadonlySet<string>;
  readonly media: ReadonlySet<string>;
  /** Keys of the problems, the files of countries, the parts of downloads and the objects of the packed layout, among others. */
  readonly documents: ReadonlySet<string>;
};

const DETAIL = new RegExp(`^(${ID_PATTERN})\\.json$`);
const PAGE = /^([1-9][0-9]{0,2})-([1-9][0-9]{0,9})\.json$/;
const MEDIA = /^[0-9a-f]{32}\.(?:jpg|webp|avif)$/;
const DOCUMENTS = [
  [PROBLEMS_FOLDER, /^[a-z.-]+\.json$/],
  [CITY_LISTS_FOLDER, /^[A-Z]{2}\.json$/],
  [POINTS_FOLDER, /^[A-Z]{2}\.json$/],
  [CHUNKS_FOLDER, /^[0-9a-f]{32}\.bin$/],
  [CITIES_FOLDER, /^[0-9a-f]{32}\.json$/],
  [SEQUENCE_FOLDER, /^[0-9a-f]{32}\.bin$/],
  [ROOTS_FOLDER, /^[0-9a-f]{32}\.json$/],
  [PARTS_FOLDER, /^[0-9a-f]{32}\.(?:ndjson|ndjson\.gz|geojson|csv)$/],
] as const;
const COUNTRY = /^(?:[A-Z]{2}|-)$/;
const CITY = /^(?:(?:[0-9a-f]{2})+|-)$/;

/** Files that a build would have written and the release does not have, and folders that hold nothing else. */
export type Strays = { readonly files: string[]; readonly folders: string[] };

/** Finds left-over files below `dist/public`, as keys. */
export function findStrays(root: string, kept: KeptFiles): Strays {
  const files: string[] = [];
  const folders: string[] = [];
  for (const name of names(root, PROPERTIES_FOLDER)) {
    const id = DETAIL.exec(name)?.[1];
    if (id && !kept.ids.has(id)) files.push(`${PROPERTIES_FOLDER}/${name}`);
  }
  for (const name of names(root, MEDIA_FOLDER)) {
    if (MEDIA.test(name) && !kept.media.has(name)) files.push(`${MEDIA_FOLDER}/${name}`);
  }
  for (const [folder, name] of DOCUMENTS) {
    for (const found of names(root, folder)) {
      const key = `${folder}/${found}`;
      if (name.test(found) && !kept.documents.has(key)) files.push(key);
    }
    folders.push(folder);
  }
  if (!kept.documents.has(CURRENT_KEY) && existsSync(join(root, CURRENT_KEY))) files.push(CURRENT_KEY);
  const sizes = new Set(kept.sizes);
  for (const country of names(root, PAGES_FOLDER)) {
    if (!COUNTRY.test(country)) continue;
    for (const city of names(root, PAGES_FOLDER, country)) {
      if (!CITY.test(city)) continue;
      const folder = `${PAGES_FOLDER}/${country}/${city}`;
      const total = kept.totals.get(folder);
      for (const name of names(root, folder)) {
        const page = PAGE.exec(name);
        const stays =
          total !== undefined &&
          (page ? sizes.has(Number(page[1])) && Number(page[2]) <= pageCount(total, Number(page[1])) : true);
        if (!stays && (page || name === 'total')) files.push(`${folder}/${name}`);
      }
      if (total === undefined) folders.push(folder);
    }
    folders.push(`${PAGES_FOLDER}/${country}`);
  }
  folders.push(PAGES_FOLDER);
  return { files, folders };
}

/** Removes left-over files below `dist/public`. Returns how many. */
export function prune(root: string, kept: KeptFiles): number {
  const { files, folders } = findStrays(root, kept);
  for (const key of files) unlinkSync(join(root, key));
  for (const key of folders) removeFolder(join(root, key));
  return files.length;
}

function names(...path: string[]): string[] {
  return ifThere(() => readdirSync(join(...path))) ?? [];
}
