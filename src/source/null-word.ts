/** Words that mean null without quotes (YAML 1.2.2, 10.3.2). */

const NULL_WORD = /^(?:null|Null|NULL|~)$/;

export function isNullWord(text: string): boolean {
  return text.length < 5 && NULL_WORD.test(text);
}
