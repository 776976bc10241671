import { parseEditable } from '../../editing/editable-text.ts';
import { setFields } from '../../editing/set-fields.ts';
import { CONFIGURATION_FILE } from '../../source/content-path.ts';
import type { RequestHandler } from '../api/edit-context.ts';
import { RefusedRequest } from '../api/refused-request.ts';
import { createContentFile, readIfPresent, replaceContentFile } from './content-files.ts';

export const setStreetMap: RequestHandler<'set-street-map'> = async ({ session }, { areShown }) => {
  const { content } = session;
  const file = readIfPresent(content, CONFIGURATION_FILE);
  const edited = withStreets(file?.bytes.toString('utf8') ?? '', areShown);
  if (file) replaceContentFile(content, CONFIGURATION_FILE, file.version, edited);
  else createContentFile(content, CONFIGURATION_FILE, edited);
  session.notify(CONFIGURATION_FILE);
  return {};
};

type Settings = { readonly explorer?: Readonly<Record<string, never>> };

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
