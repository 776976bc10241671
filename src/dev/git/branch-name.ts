/** The rules of git check-ref-format(1), each with an explanation. Git itself only says "not valid". */

const RULES: readonly (readonly [breach: RegExp, reason: string])[] = [
  [/\s/, 'it has a space'],
  [/@\{/, 'it has "@{"'],
  [/[\u0000-\u001f\u007f]/, 'it has an invisible character'],
  [/[~^:?*[\\]/, 'it has one of the characters ~ ^ : ? * [ \\'],
  [/^-/, 'it begins with a hyphen'],
  [/(?:^|\/)\./, 'a part of it begins with a dot'],
  [/\.\./, 'it has two dots in a row'],
  [/\.$|\.lock(?:\/|$)/, 'it ends with a dot, or a part of it with ".lock"'],
  [/^\/|\/$|\/\//, 'a slash stands at an end of it, or beside another one'],
  [/^(?:@|HEAD|refs\/.*)$/, 'it means something else'],
];

export function branchNameProblem(name: string): string | undefined {
  const reason = RULES.find(([breach]) => breach.test(name))?.[1];
  if (reason === undefined) return undefined;
  const parts = name.split('/').map((part) =>
    part
      .replace(/@\{|[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/\.{2,}/g, '.')
      .replace(/^[-.]+|[-.]+$|\.lock$/g, ''),
  );
  const better = parts.filter((part) => part !== '').join('/');
  const isBetter = better !== name && better !== '' && !RULES.some(([breach]) => breach.test(better));
  return `This name cannot be used: ${reason}.${isBetter ? ` Write for example ${better}.` : ''}`;
}
