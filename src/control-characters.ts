/**
 * Control characters (Unicode category Cc), separators of lines and paragraphs, byte-order marks, marks of writing
 * direction, and lone surrogates: no text of a property may have them, and no report prints them.
 */
export const CONTROL_CHARACTER =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;
