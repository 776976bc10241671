/** Looks at the content folder, and reads nothing but the configuration. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { CONFIGURATION_FILE } from '../../source/content-path.ts';
import { type FilePatterns, type Found, findSourceFiles } from '../../source/find-files.ts';

/** Finds the files, those of some patterns or all. @throws UsageError when there is no such folder. */
export function scan(content: string, patterns?: FilePatterns): Found {
  try {
    return findSourceFiles(content, patterns);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new UsageError(
      'no-content',
      `There is no content folder at ${content}. Name it with --content, or make it and put catalogue.yaml into it.`,
    );
  }
}

/** The bytes of the configuration; undefined when there is none. */
export function readConfigurationBytes(content: string): Buffer | undefined {
  const path = join(content, CONFIGURATION_FILE);
  try {
    // Reading a named pipe would wait for ever; it is reported with the other files.
    if (!statSync(path).isFile()) return undefined;
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The search for files reports that there is no content folder.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
