/** Runs a benchmark of the command line: reads its options, measures, prints, and puts the table into the documents. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runScript } from '../command-line.ts';
import { replaceSection } from './marked-section.ts';

const DOCUMENT = new URL('../../docs/performance.md', import.meta.url);

/** A benchmark whose table stands in docs/performance.md. */
export type Benchmark<Options> = {
  readonly usage: string;
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
  if (options.write) writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), section, text));
}
