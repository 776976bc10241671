/** Such as `line 3, line 7, line 9, ...`. */
export function firstThree(texts: readonly (string | number)[]): string {
  return texts.slice(0, 3).join(', ') + (texts.length > 3 ? ', ...' : '');
}

/** At most `length` UTF-16 code units, with `…` at the end; never splits a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
