import type { FailureResponse, FieldValues, PropertyResponse } from './api.ts';
import type { EditorClient } from './client.ts';
import {
  type EditingStore,
  formContentOf,
  isConnectionFailure,
  type MergeActions,
  toRequestFailure,
} from './editing-state.ts';
import {
  type PhotoUploadResult,
  withMovedPhotos,
  withoutPendingUploads,
  withUploadedNames,
} from './form-photos.ts';
import { withoutPhotos } from './form-values.ts';
import { loadPropertyIfPresent } from './property-opening.ts';
import { changedFields, type FormValues, isEqualValue, rebaseHistory } from './undo-history.ts';
import { withFields } from './version-comparison.ts';

export type SaveActions = {
  /** Waits for a save in progress first. False if something is left unsaved. */
  readonly save: () => Promise<boolean>;
  /** Sends a request and takes over the version in the response. False if the request failed. */
  readonly write: (request: (file: PropertyResponse) => Promise<PropertyResponse>) => Promise<boolean>;
  readonly reread: () => Promise<void>;
};

/** Number of attempts of one save while other programs keep changing the file. */
const ATTEMPTS = 4;
/** Milliseconds until a missing file counts as deleted. Some programs delete a file before they replace it. */
const GRACE = 300;

export function createSaveActions(
  client: EditorClient,
  core: EditingStore,
  merging: MergeActions,
): SaveActions {
  const { get, change } = core;
  const { receiveFile, setFailure } = merging;
  let reads = 0;
  let isReading = false;
  let isStale = false;
  let last: Promise<unknown> = Promise.resolve();
  const reread = async () => {
    const { base, progress } = get();
    isStale = progress === 'saving';
    if (isStale) return;
    // A new property has no file to read. Clearing the failure starts a check, which tests the connection instead.
    if (!base) return isConnectionFailure(get().failure) ? change({ failure: undefined }) : undefined;
    const turn = ++reads;
    isReading = true;
    const answer = await presentFile(client, base).catch((error: unknown) => ({ error }));
    // Ignores the response if a later read or save has started.
    if (turn !== reads) return;
    isReading = false;
    if (answer && 'error' in answer) return setFailure(answer.error);
    if (isConnectionFailure(get().failure)) change({ failure: undefined });
    receiveFile(answer);
  };
  const queued = (act: () => Promise<boolean>) => {
    const next = last.then(async () => {
      isStale ||= isReading;
      reads++;
      change({ progress: 'saving', failure: undefined });
      const isDone = await act();
      change({ progress: isDone ? 'saved' : 'idle' });
      if (isStale) await reread();
      return isDone;
    });
    last = next;
    return next;
  };
  const attempt = createAttempt(client, core, merging);
  return {
    reread,
    write: (request) => queued(() => attempt(() => request(get().base!), formContentOf(get()).values)),
    save: () => queued(() => saveAll(client, core, attempt)),
  };
}

type Attempt = (
  request: () => Promise<PropertyResponse>,
  sent: FormValues,
  adjust?: (values: FormValues, saved: PropertyResponse) => FormValues,
) => Promise<boolean>;

function createAttempt(
  client: EditorClient,
  { get, change }: EditingStore,
  { receiveFile, setFailure }: MergeActions,
): Attempt {
  return async (request, sent, adjust = (values) => values) => {
    try {
      const saved = await request();
      const made = changedFields(sent, saved.values);
      // Keeps the undo history and text typed during the request; takes over values that the server normalised.
      const history = rebaseHistory(get().history, (values) => {
        const adjusted = adjust(values, saved);
        const known = Object.entries(made).filter(([field]) => isEqualValue(adjusted[field], sent[field]));
        return known.length === 0 ? adjusted : withFields(adjusted, Object.fromEntries(known));
      });
      change({
        base: saved,
        isGone: false,
        history,
        conflict: undefined,
        conflictedFile: undefined,
        refusals: new Map(),
      });
      return true;
    } catch (error) {
      setFailure(error);
      const { code, conflict } = toRequestFailure(error) as FailureResponse;
      const { base } = get();
      if (conflict?.theirs) receiveFile(conflict.theirs);
      else if (base && (conflict || code === 'not-found'))
        await presentFile(client, base).then(receiveFile, setFailure);
      return false;
    }
  };
}

async function saveAll(client: EditorClient, core: EditingStore, attempt: Attempt): Promise<boolean> {
  let sent: PhotoUploadResult | undefined;
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    const { base, conflict, conflictedFile, isGone } = core.get();
    const { saved, values } = formContentOf(core.get());
    if (conflict || conflictedFile) return false;
    if (saved) {
      sent ??= await core.photos.upload(saved.path, values);
      const { files, problems } = sent;
      const named = withoutPendingUploads(withUploadedNames(values, files));
      const fields: FieldValues = changedFields(saved.values, named);
      const { path, version } = saved;
      const isDone =
        Object.keys(fields).length === 0 ||
        (await attempt(
          () => client.save({ path, version, fields }),
          named,
          (one) => withUploadedNames(one, files),
        ));
      if (isDone) core.photos.removeUploaded(files.keys());
      if (isDone && problems.size > 0) {
        const [message = ''] = problems.values();
        core.change({ refusals: problems, failure: { code: 'bad-photo', message } });
      }
      if (isDone) return problems.size === 0;
    } else {
      const fields = { id: core.id, ...withoutPhotos(changedFields({}, values)) };
      await attempt(
        () => client.create({ fields }),
        withoutPhotos(values),
        (one, { path }) => (base ? withMovedPhotos(one, base.path, path) : one),
      );
    }
    const next = core.get();
    const isSameFile = next.base?.version === base?.version && next.base?.path === base?.path;
    if (isSameFile && next.isGone === isGone) return false;
  }
  return false;
}

async function presentFile(
  client: EditorClient,
  { path, values }: PropertyResponse,
): Promise<PropertyResponse | null> {
  const known = await loadPropertyIfPresent(client, path);
  if (known) return known;
  await new Promise((resolve) => setTimeout(resolve, GRACE));
  const returned = await loadPropertyIfPresent(client, path);
  const { id } = values;
  return returned ?? (typeof id === 'string' && id !== '' ? loadPropertyIfPresent(client, { id }) : null);
}
