/** The requests of the page. A handler's name starts with the name of its request: `saveFields` handles `save`. */
import type { IncomingMessage } from 'node:http';
import {
  type PostRequestName,
  REQUEST_BODY_SCHEMAS,
  type RequestBody,
} from '../../editor/request-schemas.ts';
import type { PreparedUpload } from '../../media/prepare-upload.ts';
import { CONFIGURATION_FILE } from '../../source/content-path.ts';
import { MAX_PHOTO_BYTES } from '../content/content-files.ts';
import { addPhoto, convertPhoto, photoPreview } from '../content/photo.ts';
import {
  checkNewProperty,
  copyProperty,
  createProperty,
  removeProperty,
  renameProperty,
  restoreFile,
} from '../content/property-file-actions.ts';
import {
  checkFields,
  findPathById,
  propertyResponse,
  saveFields,
} from '../content/read-and-save-property.ts';
import { setStreetMap } from '../content/street-map.ts';
import { changesResponse } from '../git/changes-response.ts';
import { commitFiles } from '../git/commit-files.ts';
import { mergeUpstream } from '../git/merge-upstream.ts';
import { fetchUpstream, pushBranch, remoteResponse } from '../git/remote.ts';
import { revertChanges } from '../git/revert-changes.ts';
import { switchBranch } from '../git/switch-branch.ts';
import { keepSide } from '../git/whole-file-choice.ts';
import { catalogueResponse } from './catalogue-response.ts';
import type { EditContext, RequestHandler } from './edit-context.ts';
import { propertiesResponse, thumbnailUrl } from './property-rows.ts';
import { RefusedRequest } from './refused-request.ts';
import { type BodyLimits, checkContentType, readJson, readRequestBody } from './request-body.ts';
import { REPOSITORY_LANE } from './request-queue.ts';

export type RouteResult =
  | { readonly json: object }
  | { readonly image: Pick<PreparedUpload, 'bytes' | 'extension'> }
  | { readonly redirect: string };

type Route = (context: EditContext, request: IncomingMessage, query: URLSearchParams) => Promise<RouteResult>;

type Lane = 'network' | typeof REPOSITORY_LANE | 'create' | typeof CONFIGURATION_FILE;

/**
 * @param lane lane of the queue in which `act` runs; null runs `act` at once.
 * @default the `path` in the body, so that saves of one file run one by one
 */
function postRoute<Name extends PostRequestName>(
  name: Name,
  act: RequestHandler<Name>,
  lane?: Lane | null,
): { readonly POST: Route } {
  return {
    async POST(context, request) {
      const body = (await readJson(request, REQUEST_BODY_SCHEMAS[name], LIMITS[name])) as RequestBody<Name>;
      if (lane === null) return { json: await act(context, body) };
      const { path = '' } = body as { readonly path?: string };
      return { json: await context.queue.run(lane ?? path, () => act(context, body)) };
    },
  };
}

/** A commit lists up to 200,000 files, and a merge has a choice for each conflict. */
const LIMITS: { readonly [Name in PostRequestName]?: BodyLimits } = {
  commit: { bytes: 1 << 26, time: 60_000 },
  merge: { bytes: 1 << 26, time: 60_000 },
};

function getRoute(read: (context: EditContext, query: URLSearchParams) => Promise<object>): {
  readonly GET: Route;
} {
  return { GET: async (context, _request, query) => ({ json: await read(context, query) }) };
}

export const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  catalogue: getRoute(catalogueResponse),
  properties: getRoute((context, query) => propertiesResponse(context, query.get('since'))),
  property: getRoute(async (context, query) =>
    propertyResponse(context, query.get('path') ?? (await findPathById(context, given(query, 'id'))) ?? ''),
  ),
  thumbnail: {
    GET: async (context, _request, query) => ({
      redirect: await thumbnailUrl(context, given(query, 'path')),
    }),
  },
  check: postRoute(
    'check',
    (context, { path, ...rest }) =>
      path === null ? checkNewProperty(context, rest) : checkFields(context, { path, ...rest }),
    null,
  ),
  save: postRoute('save', saveFields),
  restore: postRoute('restore', restoreFile),
  create: postRoute('create', createProperty, 'create'),
  copy: postRoute('copy', copyProperty),
  rename: postRoute('rename', renameProperty),
  remove: postRoute('remove', removeProperty),
  photo: {
    GET: async (context, _request, query) => ({
      image: await photoPreview(context, given(query, 'path'), query.get('side')),
    }),
  },
  'add-photo': {
    async POST(context, request, query) {
      const [path, name, bytes] = [given(query, 'path'), given(query, 'name'), await readImage(request)];
      return { json: await context.queue.run('photo', () => addPhoto(context, path, name, bytes)) };
    },
  },
  'convert-photo': {
    async POST(context, request, query) {
      const [name, bytes] = [given(query, 'name'), await readImage(request)];
      return { image: await context.queue.run('photo', () => convertPhoto(context, name, bytes)) };
    },
  },
  'set-street-map': postRoute('set-street-map', setStreetMap, CONFIGURATION_FILE),
  changes: getRoute(changesResponse),
  commit: postRoute('commit', commitFiles, REPOSITORY_LANE),
  revert: postRoute('revert', revertChanges),
  remote: getRoute(remoteResponse),
  fetch: postRoute('fetch', fetchUpstream, 'network'),
  push: postRoute('push', pushBranch, 'network'),
  merge: postRoute('merge', mergeUpstream, REPOSITORY_LANE),
  'switch-branch': postRoute('switch-branch', switchBranch, REPOSITORY_LANE),
  'keep-side': postRoute('keep-side', keepSide, REPOSITORY_LANE),
};

function readImage(request: IncomingMessage): Promise<Buffer> {
  checkContentType(request, /^(?:image\/[\w.+-]+|application\/octet-stream)$/i, 'an image');
  return readRequestBody(request, { bytes: MAX_PHOTO_BYTES, time: 120_000 });
}

function given(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === '') throw new RefusedRequest('bad-request', `The address lacks "${name}".`);
  return value;
}
