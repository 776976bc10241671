import { plainNumber } from './plain-cell.ts';

/**
 * Numbers become texts with all digits, since `JSON.parse` would round them. `NaN` and `Infinity`, which Python writes,
 * become null.
 */
export function parseJsonExactly(text: string): unknown {
  const exact = text.replace(
    /"[^"\\]*(?:\\.[^"\\]*)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/g,
    (token) => (token.startsWith('"') ? token : /\d/.test(token) ? `"${plainNumber(token)}"` : 'null'),
  );
  return JSON.parse(exact);
}
