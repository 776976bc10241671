import { parseEditable } from '../../editing/editable-text.ts';
import { setFields } from '../../editing/set-fields.ts';
import type { RequestBody } from '../../editor/requests.ts';
import { CONFIGURATION_FILE } from '../../source/content-path.ts';
import { createContentFile, readContentFile, replaceContentFile } from '../content-folder.ts';
import type { EditContext } from '../edit-context.ts';
import { RefusedRequest } from '../refused-request.ts';

export async function setStreetMap(
  { session }: EditContext,
  { areShown }: RequestBody<'streets'>,
): Promise<object> {
  const { content } = session;
  const file = presentSettings(content);
  const edited = withStreets(file?.bytes.toString('utf8') ?? '', areShown);
  if (file) replaceContentFile(content, CONFIGURATION_FILE, file.version, edited);
  else createContentFile(content, CONFIGURATION_FILE, edited);
  session.notify(CONFIGURATION_FILE);
  return {};
}

type Settings = { readonly explorer?: Readonly<Record<string, never>> };

function presentSettings(content: string) {
  try {
    return readContentFile(content, CONFIGURATION_FILE);
  } catch (error) {
    if (error instanceof RefusedRequest && error.code === 'not-found') return undefined;
    throw error;
  }
}

function withStreets(text: string, areShown: boolean): string {
  try {
    const { tiles: _before, ...explorer } = (parseEditable(text).value as Settings).explorer ?? {};
    const tiles = areShown ? { tiles: 'openstreetmap' } : {};
    const isEmpty = Object.keys({ ...explorer, ...tiles }).length === 0;
    const set = setFields(text, { explorer: isEmpty ? null : { ...explorer, ...tiles } });
    if ('text' in set) return set.text;
  } catch {
    // A text with a syntax error is refused below.
  }
  throw new RefusedRequest(
    'not-editable',
    'The settings of this catalogue cannot be changed here. Ask the colleague who set it up.',
  );
}
