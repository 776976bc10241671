import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Stands in for a space at which a line must not be broken. */
const KEPT_SPACE = '\ue000';

const COMMAND =
  /\b(?:catalogue [a-z][a-z-]*|(?:npx|npm|curl|sysctl) \S|git (?:add|checkout|commit|config|fetch|init|lfs|pull))[^\n"]*?(?=[.,;:)]*(?:\s[A-Z(]|$))/g;
/** YAML to paste: a field with its value in braces. */
const FLOW = /\b[\w@]{1,80}: \{ [^\n]{0,1000}? \}(?! \}|\]|, (?:\{|[^\n:,}]+: ))/g;
const QUOTED = /"[^"\n]{1,60}"/g;
/** Start of an unindented line up to its first two consecutive spaces, such as a file with a line number. */
const PLACE = /^\S.*?(?= {2})/;
/**
 * Lines that are never wrapped: a quoted source line, the marks below it, a command, a path, YAML to paste, or a line
 * that is redrawn.
 */
const AS_IT_IS =
  /^\s*\d* \||^\s*[~^]+$|^\s*\$ |^\s+\S*\/[^\n]*\.\w{2,5}$|^ *(?:- |[\w@]+: )(?:\{.*\}$|.* {2}# )|\r/;
const COLOR = /\u001b\[[0-9;]*m/g;
const LEAD = /^ *(?:(?:\u001b\[[0-9;]*m)*(?:[-+~!→]|\d+\.)(?:\u001b\[[0-9;]*m)* )?/;

/** Breaks at spaces. Paths, URLs, quoted values, commands and lines of files stay whole. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (stringWidth(line) > width ? wrappedLine(line, width) : line))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  const plain = line.replace(COLOR, '');
  if (AS_IT_IS.test(plain)) return line;
  // The following lines of a list item are aligned with the text after its bullet.
  const [lead = ''] = LEAD.exec(line) ?? [];
  const indent = ' '.repeat(stringWidth(lead));
  const keep = (part: string) => part.replaceAll(' ', KEPT_SPACE);
  const kept = line
    .slice(lead.length)
    .replace(PLACE, keep)
    .replace(FLOW, keep)
    .replace(QUOTED, keep)
    .replace(COMMAND, keep);
  const broken = wrapAnsi(kept, Math.max(20, width - indent.length), { hard: false });
  return (lead + broken.split('\n').join(`\n${indent}`)).replaceAll(KEPT_SPACE, ' ');
}
