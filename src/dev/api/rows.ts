/** Answers `GET properties`: the list of all property files. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileRecord } from '../../build/read/files.ts';
import { routeSettings } from '../../contract/configuration.ts';
import { MEDIA_FOLDER } from '../../contract/keys.ts';
import type { Summary } from '../../contract/property.ts';
import type { PropertiesAnswer, PropertyRow } from '../../editor/api.ts';
import { thumbnailName } from '../../media/name.ts';
import { isError } from '../../source/diagnostic.ts';
import { cut } from '../../words.ts';
import { stateAt, valuesOf } from './check-text.ts';
import type { EditContext } from './context.ts';
import { changedFiles } from './git.ts';

export async function propertiesAnswer({ session }: EditContext): Promise<PropertiesAnswer> {
  const [records, changed] = await Promise.all([session.records(), changedFiles(session.content)]);
  const { configuration } = session.shown() ?? {};
  const media = configuration && {
    settings: configuration.thumbnail,
    there: `${configuration.media_base_url ?? configuration.base_url}/${MEDIA_FOLDER}/`,
    here: `${routeSettings(configuration).base}/${MEDIA_FOLDER}/`,
  };
  const properties = [...records.values()]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((record): PropertyRow => {
      const { path, diagnostics, entry, placed } = record;
      const summary = entry && (JSON.parse(entry.summary) as Summary);
      // While the content has errors, there are no summaries, but images of the last catalogue exist.
      const own = record.media.find((photo) => photo.thumbnail);
      const made = own && media ? media.here + thumbnailName(own.digest, media.settings) : null;
      const thumbnail = summary ? summary.thumbnail : made;
      const errors = diagnostics.filter(isError).length;
      const kind = changed?.get(path);
      return {
        path,
        id: entry?.id ?? placed?.id ?? '',
        title: summary?.title ?? titleIn(session.content, record),
        city: entry?.city ?? placed?.city ?? '',
        country: entry?.country ?? placed?.country ?? '',
        state: stateAt(record.visibility, session.instant()),
        errors,
        warnings: diagnostics.length - errors,
        changed: kind === 'added' || kind === 'changed' ? kind : null,
        thumbnail: thumbnail && media ? thumbnail.replace(media.there, media.here) : thumbnail,
      };
    });
  return { properties };
}

/** Returns the title of an unpublished file, as far as it can be read. */
function titleIn(content: string, { path }: FileRecord): string {
  try {
    const { title } = valuesOf(readFileSync(join(content, path), 'utf8'));
    return typeof title === 'string' ? cut(title.trim(), 200) : '';
  } catch {
    return '';
  }
}
