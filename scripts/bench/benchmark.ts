/** Runs a benchmark of the command line: reads its options, measures, prints, and puts the table into the documents. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runScript } from '../command-line.ts';
import { replaceSection } from './marked-section.ts';

const DOCUMENTS = new URL('../../docs/', import.meta.url);

/** A benchmark whose table stands in a page of `docs/`. */
export type Benchmark<Options> = {
  readonly usage: string;
  /** @default performance.md */
  readonly page?: string;
  /** The marked section that holds the table. */
  readonly section: string;
  /** @throws UsageError */
  readonly readArguments: (args: string[]) => Options;
  /** Measures, and returns Markdown. */
  readonly measure: (options: Options) => Promise<string>;
};

/** Runs it with the arguments of this process. */
export async function runBenchmark<Options extends { readonly write: boolean }>({
  usage,
  page = 'performance.md',
  section,
  readArguments,
  measure,
}: Benchmark<Options>): Promise<void> {
  let options: Options | undefined;
  runScript(usage, () => {
    options = readArguments(process.argv.slice(2));
  });
  if (!options) return;
  const text = await measure(options);
  console.log(text);
  const document = new URL(page, DOCUMENTS);
  if (options.write) writeFileSync(document, replaceSection(readFileSync(document, 'utf8'), section, text));
}
