/** The API of the page that edits properties: who may ask, and which step answers. `src/editor/api.ts` describes it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { EDIT_API_PATH, type Failure } from '../../editor/api.ts';
import type { TakenPhoto } from '../../media/intake.ts';
import { readContent } from '../last-build.ts';
import type { Session } from '../session.ts';
import { judgeType, readJson, readRequestBody } from './body.ts';
import { changesAnswer } from './changes.ts';
import { commitFiles } from './commit.ts';
import type { Desk } from './desk.ts';
import {
  checkNew,
  copyProperty,
  createProperty,
  removeProperty,
  renameProperty,
  restoreProperty,
} from './files.ts';
import { judgeSender } from './guard.ts';
import { catalogueAnswer } from './info.ts';
import { addPhoto, showPhoto } from './photo.ts';
import { UPLOAD_BOUNDS } from './photo-bounds.ts';
import { checkFields, propertyAnswer } from './property.ts';
import { createQueue } from './queue.ts';
import { answerOf, Refused } from './refused.ts';
import { propertiesAnswer } from './rows.ts';
import { fieldValues, saveFields } from './save.ts';
import { createPhotoUploads } from './uploads.ts';

/** Answers requests below {@link EDIT_API_PATH}. */
export type EditApi = {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Removes photos that were brought and are not in use. */
  readonly close: () => Promise<void>;
};

/** What a step answers with: JSON, or an image. */
type Route = (desk: Desk, request: IncomingMessage, query: URLSearchParams) => Promise<object | Image>;

type Image = Pick<TakenPhoto, 'bytes' | 'extension'>;

const text = z.string().max(2000);
const file = { path: text, version: text };

/** A step with a JSON body: one after the other for each file, and for all without a file. */
function posted<Schema extends z.ZodType<object>>(
  schema: Schema,
  act: (desk: Desk, body: z.output<Schema>) => Promise<object>,
): Route {
  return async (desk, request) => {
    const body = await readJson(request, schema);
    const { path } = body as { readonly path?: string | null };
    return desk.queue(path ?? '', () => act(desk, body));
  };
}

const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  catalogue: { GET: (desk) => catalogueAnswer(desk) },
  properties: { GET: (desk) => propertiesAnswer(desk) },
  property: { GET: (desk, _request, query) => propertyAnswer(desk, given(query, 'path')) },
  check: {
    POST: posted(
      z.strictObject({ ...file, path: text.nullable(), fields: fieldValues }),
      (desk, { path, ...rest }) =>
        path === null ? checkNew(desk, rest) : checkFields(desk, { path, ...rest }),
    ),
  },
  save: { POST: posted(z.strictObject({ ...file, fields: fieldValues }), saveFields) },
  restore: { POST: posted(z.strictObject({ path: text }), restoreProperty) },
  new: { POST: posted(z.strictObject({ fields: fieldValues }), createProperty) },
  copy: { POST: posted(z.strictObject({ ...file, title: text }), copyProperty) },
  rename: { POST: posted(z.strictObject(file), renameProperty) },
  remove: {
    POST: posted(z.strictObject({ ...file, isRehearsal: z.boolean().default(false) }), removeProperty),
  },
  photo: {
    GET: (desk, _request, query) => showPhoto(desk, given(query, 'path')),
    POST: async (desk, request, query) => {
      judgeType(request, /^(?:image\/[\w.+-]+|application\/octet-stream)$/i, 'an image');
      const bytes = await readRequestBody(request, UPLOAD_BOUNDS);
      return desk.queue('photo', () => addPhoto(desk, given(query, 'path'), given(query, 'name'), bytes));
    },
  },
  changes: { GET: (desk) => changesAnswer(desk) },
  commit: {
    POST: posted(
      z.strictObject({
        message: z.string().max(20_000),
        branch: z.string().min(1).max(200).optional(),
        files: z.array(z.strictObject(file)).max(20_000),
      }),
      (desk, { branch, ...rest }) => commitFiles(desk, { ...rest, ...(branch !== undefined && { branch }) }),
    ),
  },
};

/** @param token which every request has to bring. */
export function createEditApi(session: Session, token: string): EditApi {
  const uploads = createPhotoUploads(session.content);
  const desk: Desk = {
    session,
    queue: createQueue(),
    removed: new Map(),
    uploads,
  };
  return {
    answer: (request, response) => void answer(desk, token, request, response),
    close: () => uploads.removeUnused(() => photosInUse(session)),
  };
}

async function photosInUse({ content }: Session): Promise<ReadonlySet<string>> {
  const records = await readContent(content);
  return new Set([...records.values()].flatMap(({ media }) => media.map(({ path }) => path)));
}

async function answer(
  desk: Desk,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    judgeSender(request, token);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.slice(EDIT_API_PATH.length);
    const methods = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined;
    if (!methods) throw new Refused('not-found', `There is no request ${name.slice(0, 100)}.`);
    const route = Object.hasOwn(methods, request.method ?? '') ? methods[request.method!] : undefined;
    if (!route) {
      throw new Refused('method-not-allowed', `Use ${Object.keys(methods).join(' or ')} for ${name}.`);
    }
    send(response, 200, await route(desk, request, searchParams));
  } catch (error) {
    sendFailure(request, response, error);
  }
}

function given(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === '') throw new Refused('bad-request', `The address lacks "${name}".`);
  return value;
}

function sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const refused =
    error instanceof Refused
      ? error
      : new Refused('not-written', `Something failed that should not: ${(error as Error).message}.`);
  const { status, failure } = answerOf(refused);
  // What is left of a body that is not read would be taken for the next request.
  if (!request.complete) {
    response.setHeader('Connection', 'close');
    response.once('finish', () => request.destroy());
  }
  send(response, status, failure satisfies Failure);
}

const IMAGE_TYPES = { '.jpg': 'image/jpeg', '.webp': 'image/webp' } as const;

function send(response: ServerResponse, status: number, body: object | Image): void {
  const image = 'bytes' in body && Buffer.isBuffer(body.bytes) ? (body as Image) : undefined;
  response.statusCode = status;
  response.setHeader(
    'Content-Type',
    image ? IMAGE_TYPES[image.extension] : 'application/json; charset=utf-8',
  );
  response.end(image?.bytes ?? JSON.stringify(body));
}
