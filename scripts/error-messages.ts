import { readFileSync } from 'node:fs';
import glob from 'fast-glob';

const LITERAL = /`(?:[^`\\]|\\.)*`|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/.source;
/** A constant may hold the message: the last one above of that name, or one below. */
const THROWN = new RegExp(
  `(?:const (\\w+) =\\s*(${LITERAL});)|new (?:Usage|Environment|Bucket)Error\\(\\s*'([\\w-]+)',\\s*(?:(${LITERAL})|(\\w+))`,
  'g',
);

/** By code, in file order. Values in messages become an ellipsis. */
export function errorMessages(root: string): Map<string, string[]> {
  const messages = new Map<string, string[]>();
  for (const file of glob.sync('src/**/*.ts', { cwd: root }).sort()) {
    const found = [...readFileSync(`${root}/${file}`, 'utf8').matchAll(THROWN)];
    const constants = new Map(found.map(([, name, value]) => [name, value]));
    for (const [, name, value, code, given, variable] of found) {
      if (name) constants.set(name, value);
      const literal = given ?? (variable && constants.get(variable));
      if (!code || !literal) continue;
      const text = withoutValues(literal.slice(1, -1)).replace(/\\(.)/g, '$1').replace(/…+/g, '…').trim();
      const known = messages.get(code) ?? [];
      if (!known.includes(text)) messages.set(code, [...known, text]);
    }
  }
  return messages;
}

/** The code in `${…}` may contain braces. */
function withoutValues(template: string): string {
  let [text, depth] = ['', 0];
  for (let index = 0; index < template.length; index++) {
    if (depth === 0 && template.startsWith('${', index)) [text, depth, index] = [`${text}…`, 1, index + 1];
    else if (depth === 0) text += template[index];
    else depth += { '{': 1, '}': -1 }[template[index]!] ?? 0;
  }
  return text;
}
