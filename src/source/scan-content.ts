import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors/errors.ts';
import { undefinedIfMissing } from '../files/files-and-folders.ts';
import { CONFIGURATION_FILE } from './content-path.ts';
import { type FilePatterns, type FoundFiles, findPropertyFiles } from './find-property-files.ts';

// Separate from `configuration-file.ts`, because a build without changes must not load the schema of the configuration.

/** Without patterns, finds all source files. @throws UsageError if the folder does not exist */
export function scanContent(content: string, patterns?: FilePatterns): FoundFiles {
  const found = undefinedIfMissing(() => findPropertyFiles(content, patterns));
  if (found) return found;
  throw new UsageError(
    'no-content',
    `There is no content folder at ${content}. Name it with --content, or make it and put catalogue.yaml into it. Have a table? Run "catalogue import table.csv".`,
  );
}

export function readConfigurationBytes(content: string): Buffer | undefined {
  const path = join(content, CONFIGURATION_FILE);
  // Reading a named pipe would block forever. Pipes and missing content folders are reported later.
  return undefinedIfMissing(() => (statSync(path).isFile() ? readFileSync(path) : undefined));
}
