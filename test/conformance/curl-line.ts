import type { Case } from './case.ts';

/** A request, as far as a failure shows it. */
export type ShownRequest = Pick<Case, 'method' | 'target'> & Partial<Pick<Case, 'headers'>>;

/**
 * A shell command that sends the request, to where `npm start` and the examples of the targets serve. `target` has one
 * character a byte.
 */
export function curlLine({ method, target, headers = [] }: ShownRequest): string {
  const action = method === 'HEAD' ? ['--head'] : method === 'GET' ? [] : ['--request', method];
  const fields = headers.flatMap(([name, value]) => ['--header', quoted(`${name}: ${value}`)]);
  const line = ['curl', '--include', '--globoff', '--path-as-is', ...action, ...fields];
  return [...line, quoted(`http://localhost:8080${target}`)].join(' ');
}

/** Quotes for bash; bytes outside ASCII by their number. */
function quoted(text: string): string {
  if (/^[ -~]*$/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const bytes = text.replace(
    /[^ -~]|['\\]/g,
    (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `$'${bytes}'`;
}
