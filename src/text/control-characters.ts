/** Category Cc, separators, byte-order and direction marks, lone surrogates: forbidden in texts, escaped in reports. */
export const CONTROL_CHARACTER =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;
