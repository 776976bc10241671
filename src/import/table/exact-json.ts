import { plainNumber } from './cell.ts';

/** Also accepts Python's `NaN`. Numbers become texts with all digits, since `JSON.parse` rounds. */
export function parseJsonExactly(text: string): unknown {
  const exact = text.replace(
    /"[^"\\]*(?:\\.[^"\\]*)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/g,
    (token) => (token.startsWith('"') ? token : /\d/.test(token) ? `"${plainNumber(token)}"` : 'null'),
  );
  return JSON.parse(exact);
}
