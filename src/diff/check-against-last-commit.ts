import { withDiagnostics } from '../compile/build-findings.ts';
import { type CheckOptions, type CheckResult, check } from '../compile/check.ts';
import { UsageError } from '../errors/errors.ts';
import { type Diagnostic, diagnosticKey, isError } from '../source/diagnostic.ts';
import { findingsOf, hasErrors } from '../source/findings.ts';
import { checkOut, writeGitIndexTree } from './revision.ts';

/**
 * Checks what is staged for the next commit, and reports only errors that the last commit does not have.
 * @throws UsageError `no-repository`, `no-git`
 */
export async function checkAgainstLastCommit(options: CheckOptions): Promise<CheckResult> {
  const content = options.content ?? 'content';
  const result = await checkTree(content, writeGitIndexTree(content), options);
  const errors = errorsIn(result);
  const known = errors.length === 0 ? [] : await errorsBefore(content, options);
  const names = new Set(known.map(diagnosticKey));
  const findings = findingsOf(errors.filter((error) => !names.has(diagnosticKey(error))));
  return withDiagnostics<CheckResult>({ ...result, findings });
}

async function errorsBefore(content: string, options: CheckOptions): Promise<Diagnostic[]> {
  try {
    return errorsIn(await checkTree(content, 'HEAD', options));
  } catch (error) {
    if (error instanceof UsageError && error.code === 'no-revision') return [];
    throw error;
  }
}

async function checkTree(content: string, revision: string, options: CheckOptions): Promise<CheckResult> {
  const { content: folder, close } = checkOut(content, revision, () => true);
  try {
    return await check({ ...options, content: folder });
  } finally {
    close();
  }
}

function errorsIn({ findings }: CheckResult): Diagnostic[] {
  return hasErrors(findings) ? [...findings].filter(isError) : [];
}
