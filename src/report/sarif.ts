/** Formats diagnostics as SARIF 2.1.0 (OASIS), for code scanning services. */
import { documentationUrl } from '../package/documentation.ts';
import { repository, version } from '../package/version.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../source/diagnostic-codes.ts';
import type { Findings } from '../source/findings.ts';
import { printable } from '../text/printable.ts';

/** `prefix`: path of the content folder in the repository, ending in `/` or empty. */
export function sarifLog(
  findings: Findings,
  prefix: string,
): { readonly document: object; readonly results: Iterable<object> } {
  const codes = Object.keys({ ...findings.errors, ...findings.warnings }).sort() as DiagnosticCode[];
  const rules = new Map(codes.map((code, index) => [code, index]));
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'property-catalogue',
            semanticVersion: version,
            informationUri: repository,
            rules: codes.map(ruleOf),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { SRCROOT: { description: { text: 'The root of the repository.' } } },
        results: [],
      },
    ],
  };
  return {
    document,
    results: {
      *[Symbol.iterator]() {
        for (const found of findings) yield resultOf(found, rules.get(found.code)!, prefix);
      },
    },
  };
}

function ruleOf(code: DiagnosticCode): object {
  const { severity, explanation, example, repaired } = DIAGNOSTIC_CODES[code];
  const link = documentationUrl('diagnostics', code);
  return {
    id: code,
    helpUri: link,
    shortDescription: { text: explanation },
    defaultConfiguration: { level: severity },
    help: {
      text: `${explanation}\n\nFor example:\n\n${example}\n\nRepaired:\n\n${repaired}\n\nSee ${link}.`,
      markdown: `${explanation}\n\nFor example:\n\n${fence(example)}\n\nRepaired:\n\n${fence(repaired)}\n\n[${code}](${link})`,
    },
  };
}

function fence(yaml: string): string {
  return `\`\`\`yaml\n${yaml}\n\`\`\``;
}

function resultOf(
  { code, severity, file, span, message, help }: Diagnostic,
  rule: number,
  prefix: string,
): object {
  const region = span && {
    startLine: span.line,
    startColumn: span.column,
    endLine: span.line,
    // Column after the last character (SARIF 2.1.0, 3.30.8).
    endColumn: span.column + span.length,
    snippet: { text: span.text },
  };
  return {
    ruleId: code,
    ruleIndex: rule,
    level: severity,
    message: { text: printable(help ? `${message} ${help}` : message) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(prefix + file), uriBaseId: 'SRCROOT' },
          ...(region && { region }),
        },
      },
    ],
  };
}

function uriOf(path: string): string {
  return path
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
