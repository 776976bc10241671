import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PACKAGE_ROOT } from '../../package/package-root.ts';
import { tallyOfFindings } from '../../report/diagnostics.ts';
import { type Diagnostic, isError } from '../../source/diagnostic.ts';
import { findingsOf } from '../../source/findings.ts';
import { escapeControls } from '../../text/printable.ts';

export const OVERLAY_PATH = '/_dev/overlay.js';
export const EVENTS_PATH = '/_dev/events';

const MAX_SHOWN = 20;

export function readOverlayScript(): string {
  return readFileSync(fileURLToPath(new URL('lib/dev/overlay.js', PACKAGE_ROOT)), 'utf8');
}

export function injectOverlayScript(html: Buffer, generation: string): Buffer {
  const text = html.toString('utf8');
  const tag = `<script type="module" src="${OVERLAY_PATH}?of=${generation}"></script>`;
  // Without `</head>`, the tag goes to the end of the text: by then, the parser has opened the head or the body.
  const end = text.search(/<\/head\s*>/i);
  return Buffer.from(end < 0 ? text + tag : text.slice(0, end) + tag + text.slice(end));
}

export const WAITING_PAGE = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; connect-src 'self'">
<title>Building the catalogue</title>
</head>
<body>
<main><h1>Building the catalogue</h1><p role="status">This page loads again when it is there.</p></main>
</body>
</html>
`);

export type OverlayNotice = {
  readonly kind: 'errors' | 'warnings';
  readonly label: string;
  readonly title: string;
  readonly findings: readonly object[];
};

/**
 * Undefined if there is nothing to report.
 * @param prefix path of the content folder, as shown to people
 */
export function overlayNotice(
  diagnostics: readonly Diagnostic[],
  failure: string | undefined,
  prefix: string,
): OverlayNotice | undefined {
  if (failure !== undefined) {
    const findings = [{ message: escapeControls(failure) }];
    return { kind: 'errors', label: 'Not built', title: 'The catalogue cannot be built', findings };
  }
  if (diagnostics.length === 0) return undefined;
  const sorted = diagnostics.toSorted((one, other) => Number(isError(other)) - Number(isError(one)));
  const findings: object[] = sorted.slice(0, MAX_SHOWN).map((diagnostic) => describe(diagnostic, prefix));
  const hidden = sorted.length - findings.length;
  if (hidden > 0) findings.push({ message: `And ${hidden} more: the terminal has them.` });
  const tally = tallyOfFindings(findingsOf(diagnostics)).replace('no errors, ', '');
  return isError(sorted[0]!)
    ? { kind: 'errors', label: tally, title: `${tally}: not shown until fixed`, findings }
    : { kind: 'warnings', label: tally, title: `${tally}: the catalogue is shown`, findings };
}

function describe({ severity, file, span, code, message, help }: Diagnostic, prefix: string) {
  const place = escapeControls(prefix + file) + (span ? `:${span.line}:${span.column}` : '');
  const start = span ? span.column - 1 : 0;
  const frame = span && {
    line: span.line,
    before: escapeControls(span.text.slice(0, start)),
    marked: escapeControls(span.text.slice(start, start + span.length)),
    after: escapeControls(span.text.slice(start + span.length)),
  };
  return {
    severity,
    place,
    code,
    message: escapeControls(message),
    help: escapeControls(help),
    ...(frame && { frame }),
  };
}
