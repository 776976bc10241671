import type { CST, Scalar } from 'yaml';

export const isBlockScalar = ({ type }: Scalar) => type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL';

export function blockScalarLines(node: Scalar, text: string): string[] {
  const { source, indent, props } = node.srcToken as CST.BlockScalar;
  const header = (props.find(({ type }) => type === 'block-scalar-header') as CST.SourceToken).source;
  const given = Number(/\d/.exec(header)?.[0] ?? 0);
  const lines = source.split('\n');
  const margin = given > 0 ? indent + given : (lines.find((line) => line.trim() !== '')?.search(/[^ ]/) ?? 0);
  const content = lines.map((line) => line.slice(margin));
  // Blank lines at the end belong to the text only if the header keeps them (`|+`) or if they contain spaces.
  const isKept = header.includes('+') && /\n *\n$/.test(text);
  if (isKept) content.pop();
  else while (content.at(-1) === '') content.pop();
  const chomping = isKept ? '+' : text.endsWith('\n') ? '' : '-';
  // Without a number in the header, the spaces of the first line would count as indentation.
  const isMarked = content.find((line) => line !== '')?.startsWith(' ') === true;
  return [header.charAt(0) + (isMarked ? '2' : '') + chomping, ...content];
}
