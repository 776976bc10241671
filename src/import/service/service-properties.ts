import * as z from 'zod';
import {
  AnswerError,
  CatalogueError,
  type Client,
  type ClientOptions,
  createClient,
  type Page,
  ProblemError,
} from '../../client/index.ts';
import { createRequester, type Requester } from '../../client/request.ts';
import type { FieldTable } from '../../contract/fields.ts';
import { ID_PATTERN, LIST_PATH } from '../../contract/object-keys.ts';
import { MAX_PAGE_SIZE } from '../../contract/parameters.ts';
import { type Property, publishedPropertySchema } from '../../contract/property.ts';
import { STANDARD_FIELD_TABLE } from '../../contract/terms.ts';
import { EnvironmentError, UsageError } from '../../errors/errors.ts';
import { createDiagnostic } from '../../source/diagnostic.ts';
import { BusyResponse, createPace, type Pace, runPaced, throwIfBusy } from '../../storage/pace.ts';
import { countText, formatNumber } from '../../text/amounts.ts';
import { isMapping, type Mapping } from '../../values/mapping.ts';
import { type Candidate, findingOf } from '../candidate/candidate.ts';
import { errorFinding } from '../finding.ts';
import { createGuardedFetch, FetchRefusal } from '../guarded-fetch.ts';

export type ServiceImportOptions = {
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** Number of concurrent requests. @default adapts to the service */
  readonly concurrency?: number | undefined;
  /** @default 5 */
  readonly retries?: number;
  /** Fields to import; values of other fields are dropped. @default the fields of the interface */
  readonly fields?: FieldTable;
  /** Called with the name of each value that has no field, such as `attributes.lake` or `translations.fr`. */
  readonly onUndeclared?: (name: string) => void;
  readonly onTotal?: (total: number) => void;
  /** Called if a later page of the list fails, or any page has no new entry: the missing properties will not arrive. */
  readonly onBroken?: () => void;
};

const MAX_PROPERTIES = 2_000_000;
const ID = new RegExp(`^${ID_PATTERN}$`);

function publishedKeys(list: keyof Property): readonly string[] {
  const schema: unknown = publishedPropertySchema.shape[list];
  const entry = schema instanceof z.ZodArray ? schema.element : undefined;
  return entry instanceof z.ZodObject ? Object.keys(entry.shape) : [];
}

type Listed = { readonly id: string; readonly thumbnail: string | undefined };

/**
 * If a later page of the list fails, the last candidate reports it.
 * @throws UsageError for an invalid address or API key, or too many properties; EnvironmentError if the first page
 * fails, or if an answer is not a list of properties
 */
export async function* serviceProperties(options: ServiceImportOptions): AsyncGenerator<Candidate> {
  const { base, filter } = addressOf(options.url);
  const pace = createPace({ concurrency: options.concurrency, start: 8 });
  const { apiKey, retries = 5, fields = STANDARD_FIELD_TABLE, onUndeclared = () => {} } = options;
  const key = apiKey !== undefined && { apiKey };
  const asking: ClientOptions = { baseUrl: base, ...key, retries, fetch: pacedFetch(pace) };
  const client = createClient(asking);
  const details = { requester: createRequester(asking), list: base + LIST_PATH, fields, onUndeclared };
  const ahead: Promise<Candidate>[] = [];
  for await (const entry of listed(client, filter, options)) {
    ahead.push('findings' in entry ? Promise.resolve(entry) : received(details, entry));
    if (ahead.length >= pace.inFlight) yield await ahead.shift()!;
  }
  for (const candidate of ahead) yield await candidate;
}

function notReceived(at: string, message: string, id?: string): Candidate {
  const help = 'Run the same command again: it writes only what differs.';
  return { at, raw: undefined, id, findings: [errorFinding('not-received', message, help)] };
}

const sendGuarded = createGuardedFetch({ hosts: 'same-origin', maxBytes: 16_000_000, timeoutMs: 30_000 });

/** Turns each `FetchRefusal` into a `CatalogueError`, after which the client does not try again. */
function pacedFetch(pace: Pace): typeof fetch {
  return (...args) =>
    runPaced(pace, async () => throwIfBusy(await sendGuarded(...args))).catch((error: unknown) => {
      if (error instanceof BusyResponse) return error.answer as Response;
      if (!(error instanceof FetchRefusal)) throw error;
      const url = String(args[0]);
      const cause = new EnvironmentError(error.code, `${url} is refused: ${error.message}.`);
      throw new CatalogueError(cause.message, url, undefined, { cause });
    });
}

function addressOf(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const message = `"${text}" is not the address of a service, such as https://stays.example.`;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash)
    throw new UsageError('invalid-source', message);
  const [country, city] = ['country', 'city'].map((name) => url.searchParams.get(`filter[${name}]`));
  const path = url.pathname.replace(/\/+$/, '');
  const base = url.origin + (path.endsWith(LIST_PATH) ? path.slice(0, -LIST_PATH.length) : path);
  return { base, filter: { ...(country && { country }), ...(city && { city }) } };
}

async function* listed(
  client: Client,
  filter: ReturnType<typeof addressOf>['filter'],
  { url, onTotal, onBroken }: ServiceImportOptions,
): AsyncGenerator<Listed | Candidate> {
  const seen = new Set<string>();
  let size: number | undefined = MAX_PAGE_SIZE;
  for (let page = 1; ; page++) {
    let answer: ReturnType<typeof readPage>;
    try {
      answer = readPage(await client.listProperties({ ...filter, page, size }), url);
    } catch (error) {
      const problem = error instanceof ProblemError ? error : undefined;
      // The service refuses this page size, so the default, which all services offer, is tried.
      if (size !== undefined && problem?.status === 400 && problem.code === 'invalid-page-size') {
        size = undefined;
        page--;
        continue;
      }
      const isOtherAnswer = problem ? problem.status === 404 && page === 1 : error instanceof AnswerError;
      const reason = isOtherAnswer ? notACatalogue(url) : explained(error, url);
      if (seen.size === 0) throw reason;
      onBroken?.();
      yield notReceived(`page ${page}`, `Page ${page} of the list cannot be read: ${reason.message}`);
      return;
    }
    const { entries, total } = answer;
    // The total is reported before the first entry, since a list that lost most properties must be refused before
    // anything is written.
    onTotal?.(total);
    const before = seen.size;
    for (const entry of entries) {
      if (seen.has(entry.id)) continue;
      seen.add(entry.id);
      yield entry;
    }
    if (seen.size >= total) return;
    if (seen.size > before) continue;
    onBroken?.();
    const message = `The list has ${total} properties, but names only ${seen.size} of them.`;
    yield notReceived(`page ${page}`, message);
    return;
  }
}

function notACatalogue(url: string): EnvironmentError {
  const message = `There is no table at ${url}, and no catalogue service either: the answer has no list of properties ("data" and "meta.pagination.total_entries"). Check the address.`;
  return new EnvironmentError('not-a-catalogue', message);
}

function readPage({ data, meta }: Page, url: string): { entries: Listed[]; total: number } {
  const total = Number(meta.pagination.total_entries);
  if (!Number.isSafeInteger(total)) throw notACatalogue(url);
  if (total > MAX_PROPERTIES) {
    const message = `${url} has ${countText(total, 'property')}; ${formatNumber(MAX_PROPERTIES)} are the most.`;
    throw new UsageError('source-too-large', message);
  }
  const entries = data.map((entry): Listed => {
    const { id, thumbnail } = Object(entry) as Record<string, unknown>;
    const own = typeof id === 'string' ? id : JSON.stringify(id ?? null);
    return { id: own, thumbnail: typeof thumbnail === 'string' ? thumbnail : undefined };
  });
  return { entries, total };
}

type Details = Required<Pick<ServiceImportOptions, 'fields' | 'onUndeclared'>> & {
  readonly requester: Requester;
  readonly list: string;
};

/** Requests one property. Does not validate it: `validateProperty` reports missing and wrong fields later. */
async function received(details: Details, listed: Listed): Promise<Candidate> {
  const { id } = listed;
  if (!ID.test(id)) return refused(id);
  try {
    const url = `${details.list}/${id}`;
    const accept = { Accept: 'application/json' };
    const { body: text } = await details.requester.read<string>(url, accept, undefined);
    return { at: id, raw: rawOf(listed, parsed(text, url), details), findings: [] };
  } catch (error) {
    return notReceived(id, explained(error, details.list).message, id);
  }
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AnswerError(`${url} answered 200, but not with JSON.`, url, 200, text);
  }
}

function rawOf({ id, thumbnail }: Listed, detail: unknown, details: Details): Mapping {
  const raw: Record<string, unknown> = { id };
  for (const field of publishedPropertySchema.keyof().options) {
    const keys = publishedKeys(field);
    const value = (Object(detail) as Record<string, unknown>)[field];
    const known = (entry: unknown) =>
      isMapping(entry) ? Object.fromEntries(keys.map((key) => [key, entry[key]])) : entry;
    raw[field] = keys.length > 0 && Array.isArray(value) ? value.map(known) : value;
  }
  const photos = raw.photo;
  if (thumbnail !== undefined && Array.isArray(photos)) {
    const position = (photo: unknown) => Number(Object(photo).position);
    const first = photos.reduce((one, other) => (position(other) < position(one) ? other : one), photos[0]);
    raw.photo = photos.map((photo) => (photo === first ? { ...photo, thumbnail } : photo));
  }
  return { ...raw, ...declaredValues(raw, detail, details) };
}

/** Converts `attributes` and `translations` to fields as in property files. Reports those that are not declared. */
function declaredValues(raw: Mapping, detail: unknown, { fields, onUndeclared }: Details): Mapping {
  const { attributes, translations } = Object(detail) as Record<string, unknown>;
  const values = Object.fromEntries(entriesOf(attributes).filter(([name]) => fields.attributes.has(name)));
  for (const [name, value] of entriesOf(attributes))
    if (!fields.attributes.has(name) && !isAbsent(value)) onUndeclared(`attributes.${name}`);
  const lists: Record<string, unknown> = { photo: raw.photo, hotel_policy: raw.hotel_policy };
  for (const [language, own] of entriesOf(translations)) {
    if (!fields.languages.includes(language)) onUndeclared(`translations.${language}`);
    const { title, attributes: texts, photo, hotel_policy } = Object(own) as Record<string, unknown>;
    for (const [name, text] of [['title', title] as const, ...entriesOf(texts)])
      if (fields.all.has(`${name}@${language}`)) values[`${name}@${language}`] = text;
    const add = (list: string, name: string, textOf: (entry: Mapping, index: number) => unknown) => {
      const entries = lists[list];
      if (!fields.entries.get(list)?.has(`${name}@${language}`) || !Array.isArray(entries)) return;
      lists[list] = entries.map((entry: unknown, index) => {
        const text = isMapping(entry) ? textOf(entry, index) : undefined;
        return isAbsent(text) ? entry : { ...(entry as Mapping), [`${name}@${language}`]: text };
      });
    };
    add('photo', 'description', ({ id }) => new Map(entriesOf(photo)).get(String(id)));
    add('hotel_policy', 'detail', (_policy, index) => (Object(hotel_policy) as unknown[])[index]);
  }
  return { ...values, ...lists };
}

const entriesOf = (value: unknown) => (isMapping(value) ? Object.entries(value) : []);
const isAbsent = (value: unknown) => (value ?? null) === null || (Array.isArray(value) && value.length === 0);

function refused(id: string): Candidate {
  const at = id.slice(0, 60);
  const finding = { ...findingOf(createDiagnostic('invalid-id', '', null, { value: at })), field: 'id' };
  return { at, raw: undefined, findings: [finding] };
}

function explained(error: unknown, address: string): Error {
  if (error instanceof EnvironmentError || error instanceof UsageError) return error;
  if (error instanceof ProblemError && error.status === 401) {
    const message = 'The service asks for another key. Put it into CATALOGUE_API_KEY.';
    return new UsageError('invalid-api-key', message);
  }
  const { message, cause } = error as Error;
  if (cause instanceof EnvironmentError) return cause;
  const root = cause instanceof Error ? rootOf(cause) : undefined;
  const detail = root?.code ?? root?.message ?? '';
  const reason = message.includes(detail) ? message : `${message} (${detail})`;
  return new EnvironmentError('unreachable', `The service ${address} cannot be asked: ${reason}`, {
    cause: error,
  });
}

function rootOf(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
