import { CHANGES_FOLDER, INDEX_KEY } from '../contract/document-keys.ts';
import {
  CURRENT_KEY,
  KEPT_RELEASES_KEY,
  LIST_PATH,
  PARTS_FOLDER,
  ROOTS_FOLDER,
} from '../contract/object-keys.ts';
import type { ReleaseStatement } from '../contract/release-statement.ts';
import { ownValue } from '../values/own-value.ts';
import { ProblemError, SignatureError } from './errors.ts';
import type { ClientOptions, ListQuery, LiveRoot } from './options.ts';
import type { JsonResponse } from './request.ts';
import {
  digestOfText,
  openSignedReleases,
  readVerified,
  type SignedRelease,
  type SignedReleases,
} from './signed-releases.ts';
import type { Page, Property } from './types.ts';

/** Replaces the release's name in `index.json` before that file is hashed, since the name depends on the hash. */
const RELEASE_NAME_PLACEHOLDER = '0'.repeat(32);

type Request<Body> = () => Promise<JsonResponse<Body>>;

/** Checks responses, including 404. Each method throws a `SignatureError` for a response that no given key signed. */
export type ResponseVerifier = {
  readonly statement: () => Promise<ReleaseStatement>;
  readonly file: <Body>(file: string, request: Request<Body>) => Promise<JsonResponse<Body>>;
  /**
   * @param pinned release whose page is expected; a page of the live release is accepted too. @default the live release
   * @returns the page and the release that it comes from
   */
  readonly page: (
    query: ListQuery,
    request: Request<Page>,
    pinned: SignedRelease | undefined,
  ) => Promise<JsonResponse<Page> & { readonly signed: SignedRelease }>;
  /** Undefined if the live release is the `known` one. */
  readonly root: (known: string | undefined) => Promise<LiveRoot | undefined>;
  readonly object: (file: string, digest: string) => Promise<ArrayBuffer>;
  readonly property: <Of extends Property>(id: string, request: Request<Of>) => Promise<JsonResponse<Of>>;
};

/** @returns undefined without a key */
export function createResponseVerifier(
  options: ClientOptions,
  read: (file: string) => Promise<ArrayBuffer>,
): ResponseVerifier | undefined {
  if (options.key === undefined) return undefined;
  const releases = openSignedReleases(options, read);
  return {
    statement: async () => (await releases.live()).statement,
    file: (file, request) =>
      isUnsigned(file)
        ? request()
        : checked(releases, file, request, async (answer, { release, root: { documents } }) => {
            // This file names the root, so the root cannot contain the digest of this file.
            if (file === CURRENT_KEY) return (answer?.body as { release?: string })?.release === release;
            // The digest of `index.json` is computed without the release's name.
            const text =
              file === INDEX_KEY ? answer?.text.replaceAll(release, RELEASE_NAME_PLACEHOLDER) : answer?.text;
            const digest = text === undefined ? undefined : await digestOfText(text);
            // The name of a root or part contains its digest, and comes from a file that was checked before. So it
            // needs no signature. A 404 is accepted: the file disappears with its release.
            const folder = [ROOTS_FOLDER, PARTS_FOLDER].find((one) => file.startsWith(`${one}/`));
            if (folder) return !digest || file.startsWith(`${folder}/${digest}.`);
            return ownValue(documents, file) === digest;
          }),
    page: (query, request, pinned) =>
      checked(
        releases,
        LIST_PATH,
        request,
        // Every release has every possible list, even if it is empty, so a 404 is never right.
        async (answer, release) => JSON.stringify(answer?.body) === (await release.tree.page(query)),
        pinned,
      ),
    root: async (known) => {
      const live = await releases.reload();
      const { release, bytes } = live;
      return release === known ? undefined : { release, bytes };
    },
    object: (file, digest) => readVerified(read, file, digest),
    property: (id, request) =>
      checked(releases, id, request, async (answer, release) => {
        const detail = await release.tree.detail(`${id}`.toLowerCase());
        return detail === (answer && JSON.stringify(answer.body));
      }),
  };
}

/**
 * Compares the response with `pinned` and with the last known live release. If it matches neither, another release may
 * be live, so the live root is read again. If the response does not match that root either, a cache may have sent an
 * old copy, so the request is sent once more.
 */
async function checked<Body>(
  { live, reload, ensureValid }: SignedReleases,
  file: string,
  request: Request<Body>,
  isOf: (answer: JsonResponse<Body> | undefined, signed: SignedRelease) => Promise<boolean>,
  pinned?: SignedRelease,
) {
  let answer = await orNotFoundError(request());
  const result = (signed: SignedRelease) => {
    if (answer instanceof ProblemError) throw answer;
    return { ...answer, signed };
  };
  const isRight = (of: SignedRelease) => isOf(answer instanceof ProblemError ? undefined : answer, of);
  if (pinned) {
    ensureValid(pinned);
    if (await isRight(pinned)) return result(pinned);
  }
  const known = await live();
  if (await isRight(known)) return result(known);
  for (const isLast of [false, true]) {
    if (isLast) answer = await orNotFoundError(request());
    const present = await reload();
    if (await isRight(present)) return result(present);
  }
  throw new SignatureError('object-differs', file);
}

/** Files that belong to no release are not signed. */
function isUnsigned(file: string): boolean {
  return file === KEPT_RELEASES_KEY || file.startsWith(`${CHANGES_FOLDER}/`);
}

function orNotFoundError<Value>(answer: Promise<Value>): Promise<Value | ProblemError> {
  return answer.catch((error: unknown) => {
    if (error instanceof ProblemError && error.status === 404) return error;
    throw error;
  });
}
