/** The words that stand for nothing where they are written without quotes (YAML 1.2.2, 10.3.2). */

const NULL_WORD = /^(?:null|Null|NULL|~)$/;

/** Whether a text is one of them. */
export function isNullWord(text: string): boolean {
  return text.length < 5 && NULL_WORD.test(text);
}
