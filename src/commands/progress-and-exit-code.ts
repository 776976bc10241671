import type { Listener } from '../compile/progress.ts';
import { createProgress } from '../report/progress.ts';
import type { ReportFormat } from '../report/sink.ts';
import { type Findings, hasErrors, hasFaultySettings } from '../source/findings.ts';
import type { Terminal } from './terminal.ts';

export async function withProgress<Result>(
  { err, live }: Terminal,
  format: ReportFormat,
  run: (progress: { readonly listener?: Listener }) => Promise<Result>,
): Promise<Result> {
  const { listener, end } = createProgress(err, live && format === 'pretty');
  try {
    return await run(format === 'json' || format === 'sarif' ? {} : { listener });
  } finally {
    end();
  }
}

/** 1: errors in the content. 2: errors in the configuration. */
export function exitCodeOfFindings(findings: Findings): 0 | 1 | 2 {
  if (!hasErrors(findings)) return 0;
  return hasFaultySettings(findings) ? 2 : 1;
}
