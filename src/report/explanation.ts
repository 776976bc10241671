/** The page of a diagnostic, on a terminal. */
import { documentationUrl } from '../documentation.ts';
import { UsageError } from '../errors.ts';
import { CODES, type DiagnosticCode } from '../source/codes.ts';
import { nearest } from '../source/did-you-mean.ts';

const WIDTH = 100;

/**
 * What a code means, an example that raises it, and the same repaired.
 *
 * @throws UsageError `unknown-code`, with the code that was probably meant.
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
  const { severity, explanation, example, mended } = CODES[code];
  return `${code} (${severity})

${wrapped(explanation.replace(/`/g, ''))}

For example:

${indented(example)}

Repaired:

${indented(mended)}

${documentationUrl('diagnostics', code)}
`;
}

/** Every code with its severity, in the order of the documentation. */
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

/** Lines of at most {@link WIDTH} characters, where words allow it. */
function wrapped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(new RegExp(`(.{1,${WIDTH}})(?: |$)`, 'g'), '$1\n')
    .trimEnd();
}
