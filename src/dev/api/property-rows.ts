import { randomUUID } from 'node:crypto';
import { routeSettings } from '../../contract/configuration.ts';
import { MEDIA_FOLDER } from '../../contract/object-keys.ts';
import type { PropertiesResponse, PropertyRow } from '../../editor/api.ts';
import { describeFailure } from '../../errors/errors.ts';
import { thumbnailName } from '../../media/image-name.ts';
import { CONFIGURATION_FILE } from '../../source/content-path.ts';
import { isError } from '../../source/diagnostic.ts';
import { escapeControls } from '../../text/printable.ts';
import { publicationStateAt } from '../content/check-text.ts';
import type { CachedRow, EditContext, RowCache } from '../edit-context.ts';
import type { IndexedFile } from '../file-index.ts';
import { changedFiles } from '../git/git.ts';
import { photosByProperty } from '../git/photos-by-property.ts';
import { RefusedRequest } from '../refused-request.ts';

export function createRowCache(): RowCache {
  return { name: randomUUID(), answers: 0, rows: new Map(), gone: new Map() };
}

/** @param since `mark` of an earlier response; if null or unknown, the response has all rows */
export async function propertiesResponse(
  { session, list }: EditContext,
  since: string | null,
): Promise<PropertiesResponse> {
  const [index, changed] = await Promise.all([session.index(), changedFiles(session.content)]);
  const instant = session.instant();
  const answer = list.answers + 1;
  const rows = new Map<string, CachedRow>();
  let isNews = false;
  for (const [path, file] of index.files) {
    const kind = changed?.get(path) ?? '';
    const found = index.diagnostics.get(path) ?? [];
    const errors = found.filter(isError).length;
    const state = file.visibility ? publicationStateAt(file.visibility, instant) : 'live';
    const stateKey = `${kind} ${state} ${errors} ${found.length}`;
    const kept = list.rows.get(path);
    if (kept && kept.stateKey === stateKey && isShownAlike(kept.file, file))
      rows.set(path, kept.file === file ? kept : { ...kept, file });
    else {
      isNews = true;
      const row = rowOf(file, kind, state, errors, found.length, answer);
      rows.set(path, { file, stateKey, since: answer, row });
    }
  }
  for (const path of list.rows.keys()) {
    if (rows.has(path)) continue;
    isNews = true;
    list.gone.set(path, answer);
  }
  list.rows = rows;
  if (isNews) list.answers = answer;
  const [name, number] = since?.split('.') ?? [];
  const known = name === list.name ? Number(number) : 0;
  const news = [...rows.values()].filter((row) => row.since > known);
  return {
    mark: `${list.name}.${list.answers}`,
    isWhole: known === 0,
    rows: news.map(({ row }) => row),
    gone: [...list.gone].flatMap(([path, at]) => (at > known && !rows.has(path) ? [path] : [])),
    changed: changed ? await countOf(session.content, changed) : 0,
    problem: problemOf(session),
  };
}

const MAX_FILES_READ = 200;

/** Leaves out photos of changed properties, as the page of changes does, unless there are too many files to read. */
async function countOf(content: string, changed: Parameters<typeof photosByProperty>[1]): Promise<number> {
  if (changed.size > MAX_FILES_READ) return changed.size;
  const photos = await photosByProperty(content, changed);
  return changed.size - new Set([...photos.values()].flat()).size;
}

function problemOf(session: EditContext['session']): string | null {
  const failure = session.failure();
  if (failure !== undefined) return escapeControls(describeFailure(failure).message);
  const error = session.diagnostics().find((one) => isError(one) && one.file === CONFIGURATION_FILE);
  return error ? `${error.file}, line ${error.span?.line ?? 1}: ${escapeControls(error.message)}` : null;
}

function isShownAlike(one: IndexedFile, other: IndexedFile): boolean {
  const shown = ({ title, city, country, thumbnail }: IndexedFile) =>
    JSON.stringify([title, city, country, thumbnail]);
  return one === other || shown(one) === shown(other);
}

function rowOf(
  { path, title, city = '', country = '', thumbnail }: IndexedFile,
  kind: string,
  state: PropertyRow['state'],
  errors: number,
  found: number,
  answer: number,
): PropertyRow {
  const changed = kind === 'added' || kind === 'changed' ? kind : null;
  return {
    path,
    title,
    city,
    country,
    state,
    errors,
    warnings: found - errors,
    changed,
    picture: thumbnail === null ? 0 : answer,
  };
}

/** @throws RefusedRequest `not-found` if the property has no thumbnail */
export async function thumbnailUrl({ session }: EditContext, path: string): Promise<string> {
  const { thumbnail } = (await session.index()).files.get(path) ?? {};
  const { configuration } = session.shown() ?? {};
  if (!thumbnail || !configuration) throw new RefusedRequest('not-found', 'This property has no thumbnail.');
  if (typeof thumbnail === 'string') return thumbnail;
  const { base } = routeSettings(configuration);
  return `${base}/${MEDIA_FOLDER}/${thumbnailName(thumbnail.digest, configuration.thumbnail)}`;
}
