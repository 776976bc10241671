/** Reads the lines of a block scalar, as they are in its file. */
import type { CST, Scalar } from 'yaml';

export const isBlock = ({ type }: Scalar) => type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL';

/** Returns the header of a block scalar (`|-`, `>2`), and its lines without their indentation. */
export function blockLines(node: Scalar, text: string): string[] {
  const { source, indent, props } = node.srcToken as CST.BlockScalar;
  const header = (props.find(({ type }) => type === 'block-scalar-header') as CST.SourceToken).source;
  const given = Number(/\d/.exec(header)?.[0] ?? 0);
  const lines = source.split('\n');
  const margin = given > 0 ? indent + given : (lines.find((line) => line.trim() !== '')?.search(/[^ ]/) ?? 0);
  const content = lines.map((line) => line.slice(margin));
  while (content.at(-1) === '') content.pop();
  const ends = /\n*$/.exec(text)![0].length;
  const chomping = ends === 0 ? '-' : ends === 1 ? '' : '+';
  // Else the spaces of the first line would count as indentation.
  const isMarked = content.find((line) => line !== '')?.startsWith(' ') === true;
  return [
    header.charAt(0) + (isMarked ? '2' : '') + chomping,
    ...content,
    ...Array<string>(Math.max(0, ends - 1)).fill(''),
  ];
}
