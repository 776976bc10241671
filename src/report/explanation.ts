/** Explains a diagnostic on a terminal. */
import { documentationUrl } from '../documentation.ts';
import { UsageError } from '../errors.ts';
import { CODES, type DiagnosticCode } from '../source/codes.ts';
import { nearest } from '../source/did-you-mean.ts';

const WIDTH = 100;

/**
 * Formats the explanation of a code, with an example and its correction.
 *
 * @throws UsageError `unknown-code`, with a suggestion.
 */
export function explanationOf(code: string): string {
  if (!isCode(code)) {
    const meant = nearest(code, Object.keys(CODES));
    const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    throw new UsageError(
      'unknown-code',
      `"${code}" is not the code of a diagnostic.${advice} "catalogue explain" lists all codes.`,
    );
  }
  const { severity, explanation, example, repaired } = CODES[code];
  return `${code} (${severity})

${wrapped(explanation.replace(/`/g, ''))}

For example:

${indented(example)}

Repaired:

${indented(repaired)}

${documentationUrl('diagnostics', code)}
`;
}

/** Lists all codes with their severities, in the order of the documentation. */
export function listCodes(): string {
  return Object.entries(CODES)
    .map(([code, { severity }]) => `${severity.padEnd(7)}  ${code}\n`)
    .join('');
}

function isCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(CODES, text);
}

function indented(yaml: string): string {
  return yaml.replace(/^(?=.)/gm, '    ');
}

/** Wraps a text to lines of at most {@link WIDTH} characters. */
function wrapped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(new RegExp(`(.{1,${WIDTH}})(?: |$)`, 'g'), '$1\n')
    .trimEnd();
}
