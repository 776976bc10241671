/** Repairs the files of a content folder. */
import { join, resolve } from 'node:path';
import { readConfiguration } from '../build/inputs/configuration.ts';
import { scan } from '../build/inputs/scan.ts';
import type { Vocabulary } from '../contract/vocabulary.ts';
import { readSourceText } from './property-source.ts';
import { type Repair, repairText } from './repair.ts';
import { replaceFile } from './replace-file.ts';

/** What to repair. */
export type RepairOptions = {
  /** The content folder. @default 'content' */
  readonly content?: string;
  /** Whether a file, relative to the content folder, is wanted. @default all are */
  readonly isWanted?: (file: string) => boolean;
};

/** A file that was repaired, relative to the content folder. */
export type RepairedFile = { readonly file: string; readonly repairs: readonly Repair[] };

/**
 * Repairs what is safe to repair, each file whole or not at all. Files that cannot be read are left as they are.
 *
 * @throws UsageError when there is no such folder; the error of the file system when a file cannot be written.
 */
export function repairContent(options: RepairOptions = {}): RepairedFile[] {
  const content = resolve(options.content ?? 'content');
  const isWanted = options.isWanted ?? (() => true);
  const { usable } = readConfiguration(content);
  const repaired: RepairedFile[] = [];
  for (const file of scan(content, usable).files) {
    if (!isWanted(file)) continue;
    const source = readSourceText(content, file);
    if ('code' in source) continue;
    const result = repairText(source.text, usable.vocabulary);
    if (!result) continue;
    replaceFile(join(content, file), source.mark + result.text);
    repaired.push({ file, repairs: result.repairs });
  }
  return repaired;
}

/** The vocabulary of the configuration; that of the product when the configuration has none that is sound. */
export function vocabularyOf(content: string): Vocabulary {
  return readConfiguration(content).usable.vocabulary;
}
