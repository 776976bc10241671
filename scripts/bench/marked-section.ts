/** A part of a Markdown file that a script writes, between two comments. */

/** The comment before the part. */
export function startMark(name: string): string {
  return `<!-- ${name}: written by a script -->`;
}

/** The comment after the part. */
export function endMark(name: string): string {
  return `<!-- /${name} -->`;
}

/**
 * Puts new content between the marks of a name.
 *
 * @throws Error when the text has not each mark once, in order.
 */
export function replaceSection(text: string, name: string, content: string): string {
  const [before, inside, ...more] = text.split(startMark(name));
  const [, after, ...others] = inside?.split(endMark(name)) ?? [];
  if (after === undefined || more.length > 0 || others.length > 0 || before!.includes(endMark(name))) {
    throw new Error(`expected "${startMark(name)}" and then "${endMark(name)}", once each`);
  }
  return `${before}${startMark(name)}\n\n${content.trim()}\n\n${endMark(name)}${after}`;
}
