import { randomUUID } from 'node:crypto';
import { routeSettings } from '../../contract/configuration.ts';
import { MEDIA_FOLDER } from '../../contract/object-keys.ts';
import type { PropertiesResponse, PropertyRow } from '../../editor/api.ts';
import type { ChangedFile } from '../../editor/changes.ts';
import { describeFailure } from '../../errors/errors.ts';
import { thumbnailName } from '../../media/image-name.ts';
import { CONFIGURATION_FILE } from '../../source/content-path.ts';
import { isError } from '../../source/diagnostic.ts';
import { escapeControls } from '../../text/printable.ts';
import { publicationStateAt } from '../content/check-text.ts';
import { changedFiles } from '../git/changed-files.ts';
import { changedPhotosByProperty } from '../git/photos-by-property.ts';
import type { FileIndex, IndexedFile } from '../session/file-index.ts';
import type { CachedRow, EditContext, RowCache } from './edit-context.ts';
import { RefusedRequest } from './refused-request.ts';

export function createRowCache(): RowCache {
  return { processId: randomUUID(), responses: 0, rows: new Map(), gone: new Map() };
}

/** @param since `mark` of an earlier response; if null or unknown, the response has all rows */
export async function propertiesResponse(
  context: EditContext,
  since: string | null,
): Promise<PropertiesResponse> {
  const { session } = context;
  const [index, changed] = await Promise.all([session.index(), changesIfAny(session.content)]);
  const cache = updatedRows(context.rows, index, changed ?? new Map(), session.instant());
  context.rows = cache;
  return {
    mark: `${cache.processId}.${cache.responses}`,
    ...rowsSince(cache, since),
    changed: changed ? await countOf(session.content, changed) : 0,
    problem: problemOf(session),
  };
}

type Changes = ReadonlyMap<string, ChangedFile['kind']>;

/** Undefined if Git cannot read a repository here: properties can be edited without one. */
async function changesIfAny(content: string): Promise<Changes | undefined> {
  try {
    return await changedFiles(content);
  } catch (error) {
    if (error instanceof RefusedRequest) return undefined;
    throw error;
  }
}

/** A row whose shown values are unchanged keeps its `since`, so that it is not sent again. */
function updatedRows(cache: RowCache, index: FileIndex, changed: Changes, instant: number): RowCache {
  const next = cache.responses + 1;
  const rows = new Map<string, CachedRow>();
  for (const [path, file] of index.files) {
    const kind = changed.get(path);
    const findings = index.diagnostics.get(path) ?? [];
    const errors = findings.filter(isError).length;
    const state = file.visibility ? publicationStateAt(file.visibility, instant) : 'live';
    const stateKey = `${kind} ${state} ${errors} ${findings.length}`;
    const known = cache.rows.get(path);
    if (known && known.stateKey === stateKey && isShownAlike(known.file, file))
      rows.set(path, known.file === file ? known : { ...known, file });
    else {
      const { title, city = '', country = '', thumbnail } = file;
      const shown = { path, title, city, country, state, errors, warnings: findings.length - errors };
      const row: PropertyRow = {
        ...shown,
        changed: kind === 'added' || kind === 'changed' ? kind : null,
        thumbnailVersion: thumbnail === null ? 0 : next,
      };
      rows.set(path, { file, stateKey, since: next, row });
    }
  }
  const removed = [...cache.rows.keys()].filter((path) => !rows.has(path));
  const hasNews = removed.length > 0 || [...rows.values()].some(({ since }) => since === next);
  const gone = new Map([...cache.gone, ...removed.map((path) => [path, next] as const)]);
  return { ...cache, responses: hasNews ? next : cache.responses, rows, gone };
}

function rowsSince(
  { processId, responses, rows, gone }: RowCache,
  mark: string | null,
): Pick<PropertiesResponse, 'isWhole' | 'rows' | 'gone'> {
  const [id, number] = mark?.split('.') ?? [];
  const asked = id === processId ? Number(number) : 0;
  const known = asked > 0 && asked <= responses ? asked : 0;
  return {
    isWhole: known === 0,
    rows: [...rows.values()].filter(({ since }) => since > known).map(({ row }) => row),
    gone: [...gone].flatMap(([path, since]) => (since > known && !rows.has(path) ? [path] : [])),
  };
}

const MAX_FILES_READ = 200;

/**
 * Counts changed files without the photos of changed properties, as the page of changes does. If there are too many
 * files to read, counts all of them.
 */
async function countOf(content: string, changed: Changes): Promise<number> {
  if (changed.size > MAX_FILES_READ) return changed.size;
  const photos = await changedPhotosByProperty(content, changed);
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

/** @throws RefusedRequest `not-found` if the property has no thumbnail, or before the first build */
export async function thumbnailUrl({ session }: EditContext, path: string): Promise<string> {
  const { thumbnail } = (await session.index()).files.get(path) ?? {};
  const { configuration } = session.shown() ?? {};
  if (!thumbnail || !configuration) throw new RefusedRequest('not-found', 'This property has no thumbnail.');
  if (typeof thumbnail === 'string') return thumbnail;
  const { base } = routeSettings(configuration);
  return `${base}/${MEDIA_FOLDER}/${thumbnailName(thumbnail.digest, configuration.thumbnail)}`;
}
