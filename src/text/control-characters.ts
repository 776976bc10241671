/**
 * Category Cc, line and paragraph separators, byte-order and direction marks, and lone surrogates: forbidden in a line
 * of text, and escaped in reports.
 */
export const CONTROL_CHARACTER =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;
