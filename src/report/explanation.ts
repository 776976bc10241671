import { ENVIRONMENT_ERRORS, type ErrorEntry, IMPORT_FINDINGS, USAGE_ERRORS } from '../errors/codes.ts';
import { UsageError } from '../errors/errors.ts';
import { documentationUrl } from '../package/documentation.ts';
import { DIAGNOSTIC_CODES, type DiagnosticEntry } from '../source/diagnostic-codes.ts';
import { nearestWord } from '../source/did-you-mean.ts';
import { ownValue } from '../values/own-value.ts';

const DIAGNOSTICS: Readonly<Record<string, DiagnosticEntry>> = DIAGNOSTIC_CODES;
const ERRORS: Readonly<Record<string, ErrorEntry>> = { ...USAGE_ERRORS, ...ENVIRONMENT_ERRORS };
const FINDINGS: Readonly<Record<string, ErrorEntry>> = IMPORT_FINDINGS;

/** @throws UsageError `unknown-code`, with a suggestion */
export function explanationOf(code: string): string {
  const diagnostic = ownValue(DIAGNOSTICS, code);
  if (diagnostic) return diagnosticText(code, diagnostic);
  const error = ownValue(ERRORS, code);
  if (error) return errorText(code, error);
  const finding = ownValue(FINDINGS, code);
  if (finding)
    return `${code} (of an import)\n\n${plain(finding.cause)}\n\n${plain(finding.remedy)}\n\n${documentationUrl('importing')}\n`;
  const meant = nearestWord(code, [DIAGNOSTICS, ERRORS, FINDINGS].flatMap(Object.keys));
  const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  throw new UsageError(
    'unknown-code',
    `"${code}" is not the code of a diagnostic or an error.${advice} "catalogue explain" lists all codes.`,
  );
}

function diagnosticText(code: string, { severity, explanation, example, repaired }: DiagnosticEntry): string {
  return `${code} (${severity})

${plain(explanation)}

For example:

${indented(example)}

Repaired:

${indented(repaired)}

${documentationUrl('diagnostics', code)}
`;
}

function errorText(code: string, { cause, remedy }: ErrorEntry): string {
  return `${code} (error of a command, exit code ${Object.hasOwn(USAGE_ERRORS, code) ? 2 : 3})

${plain(cause)}

${plain(remedy)}

${documentationUrl('errors', code.toLowerCase())}
`;
}

export function codeListText(): string {
  return [
    ...Object.entries(DIAGNOSTICS).map(([code, { severity }]) => `${severity.padEnd(7)}  ${code}\n`),
    ...Object.keys(ERRORS).map((code) => `command  ${code}\n`),
    ...Object.keys(FINDINGS).map((code) => `import   ${code}\n`),
  ].join('');
}

function indented(yaml: string): string {
  return yaml.replace(/^(?=.)/gm, '    ');
}

function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
