import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, posix, sep } from 'node:path';
import { fileErrorReason } from '../errors/file-error.ts';
import { isInside } from './content-path.ts';
import type { DiagnosticArgs, DiagnosticCode } from './diagnostic-codes.ts';
import { nearestWord } from './did-you-mean.ts';
import { type StampedFile, stampFile } from './file-stamp.ts';

export type PhotoFile = StampedFile & {
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string;
};

type PhotoFault = { readonly code: DiagnosticCode; readonly args: DiagnosticArgs };

export type PhotoFinder = {
  readonly find: (yaml: string, file: string) => PhotoFile | PhotoFault | undefined;
};

/**
 * @param known the last build's photos, by path
 * @param digestFile may return undefined to skip a photo: `find` then returns undefined, and asks again next time
 */
export function createPhotoFinder(
  content: string,
  known: ReadonlyMap<string, PhotoFile>,
  digestFile: (path: string) => string | undefined,
): PhotoFinder {
  const found = new Map<string, PhotoFile | PhotoFault>();
  const folderNames = createFolderNames();
  let root: string | undefined;
  return {
    find(yaml, file) {
      const path = posix.normalize(posix.join(posix.dirname(yaml), file));
      let result = found.get(path);
      if (!result) {
        root ??= realpathSync.native(content);
        result = findPhoto(root, path, known, digestFile, folderNames);
        if (!result) return undefined;
        found.set(path, result);
      }
      return 'code' in result ? { code: result.code, args: asWritten(result.args, yaml, file) } : result;
    },
  };
}

function asWritten({ suggestion, ...args }: DiagnosticArgs, yaml: string, file: string): DiagnosticArgs {
  const written = suggestion && posix.relative(posix.dirname(yaml), String(suggestion));
  return { ...args, ...(written && { suggestion: written }), path: file };
}

function findPhoto(
  root: string,
  path: string,
  known: ReadonlyMap<string, PhotoFile>,
  digestFile: (path: string) => string | undefined,
  folderNames: FolderNames,
): PhotoFile | PhotoFault | undefined {
  if (path.startsWith('../')) return { code: 'photo-outside-content', args: {} };
  const absolute = root + sep + path.split('/').join(sep);
  let stats: Stats;
  try {
    const real = realpathSync.native(absolute);
    if (!isInside(root, real)) return { code: 'photo-outside-content', args: {} };
    const suggestion = inOtherCase(
      real
        .slice(root.length + 1)
        .split(sep)
        .join('/'),
      path,
      root,
      folderNames,
    );
    if (suggestion) return { code: 'photo-missing', args: { suggestion } };
    stats = statSync(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      return { code: 'photo-unreadable', args: { reason: fileErrorReason(error) } };
    }
    const [folder, name] = [posix.dirname(path), posix.basename(path)];
    const others = folderNames.namesIn(dirname(absolute));
    // Paths in property files are normalised to NFC, but the names of files on disk may have another form.
    const same = others.find((other) => other !== name && other.normalize('NFC') === name);
    if (same) return findPhoto(root, posix.join(folder, same), known, digestFile, folderNames);
    const suggestion = folderNames.nearestTo(name, others);
    return { code: 'photo-missing', args: suggestion ? { suggestion: posix.join(folder, suggestion) } : {} };
  }
  if (!stats.isFile()) return { code: 'photo-unreadable', args: { reason: 'it is not a regular file' } };
  const seen = stampFile(path, stats);
  const before = known.get(path);
  if (before?.stamp === seen.stamp) return before;
  try {
    const digest = digestFile(absolute);
    return digest === undefined ? undefined : { ...seen, digest };
  } catch (error) {
    return { code: 'photo-unreadable', args: { reason: fileErrorReason(error) } };
  }
}

/** Returns the real path of a photo that was found only because this disk ignores case, as Windows and macOS do. */
function inOtherCase(real: string, path: string, root: string, folderNames: FolderNames): string | undefined {
  if (real === path || fold(real) !== fold(path)) return undefined;
  const written = path.split('/');
  // A symbolic link and its target may also differ only in case, so `path` is compared with the names in the folders.
  const isThere = written.every((name, place) => {
    const names = folderNames.namesIn(root + sep + written.slice(0, place).join(sep));
    return names.some((other) => other.normalize('NFC') === name.normalize('NFC'));
  });
  return isThere ? undefined : real.normalize('NFC');
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

type FolderNames = {
  readonly namesIn: (folder: string) => readonly string[];
  readonly nearestTo: (name: string, others: readonly string[]) => string | undefined;
};

/** Maximum number of names compared in one build. A million comparisons would take a second. */
const MAX_COMPARED = 100_000;

function createFolderNames(): FolderNames {
  const listed = new Map<string, readonly string[]>();
  let compared = 0;
  return {
    namesIn(folder) {
      const names = listed.get(folder) ?? listNames(folder);
      listed.set(folder, names);
      return names;
    },
    nearestTo(name, others) {
      compared += others.length;
      return compared > MAX_COMPARED ? undefined : nearestWord(name, others);
    },
  };
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
