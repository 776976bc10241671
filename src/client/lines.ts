import { unexpected } from './errors.ts';

/**
 * Yields the object of each line.
 *
 * @param member a member that every object has.
 * @throws AnswerError at the first invalid line.
 */
export function* parseLines<Line>(text: string, url: string, member: keyof Line & string): Generator<Line> {
  try {
    const lines = text.split('\n');
    if (lines.pop()) throw new Error('the last line is not whole');
    for (const line of lines) {
      const value: unknown = JSON.parse(line);
      if (typeof (value as Line | null)?.[member] !== 'string') throw new Error(`a line has no ${member}`);
      yield value as Line;
    }
  } catch (error) {
    throw unexpected(url, 200, (error as Error).message, text);
  }
}
