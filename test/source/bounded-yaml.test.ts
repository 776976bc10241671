import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, MAX_TOKENS, parseWithinBounds } from '../../src/source/bounded-yaml.ts';

describe('parseWithinBounds', () => {
  it('returns the first document, and the second one', () => {
    const { document, second, excess } = parseWithinBounds('a: x\n---\nb: y\n---\nc: z\n');
    expect(document.toJS()).toEqual({ a: 'x' });
    expect(second?.toJS()).toEqual({ b: 'y' });
    expect(excess).toBeUndefined();
    expect(parseWithinBounds('a: x').second).toBeUndefined();
  });

  it('returns an empty document for an empty text', () => {
    for (const text of ['', '\n', '# c']) expect(parseWithinBounds(text).document.contents).toBeNull();
  });

  it.each([
    ['brackets', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['braces', (depth: number) => `${'{a: '.repeat(depth)}x${'}'.repeat(depth)}`],
    ['dashes', (depth: number) => `${'- '.repeat(depth)}x`],
    [
      'steps',
      (depth: number) => Array.from({ length: depth }, (_, step) => `${' '.repeat(step)}a:`).join('\n'),
    ],
  ])('accepts %s that nest a little, and stops at deep nesting', (_what, nested) => {
    expect(parseWithinBounds(nested(10)).excess).toBeUndefined();
    expect(parseWithinBounds(nested(10)).document.errors).toEqual([]);
    const { excess, document } = parseWithinBounds(nested(50));
    expect(excess).toMatchObject({ code: 'nested-too-deep', limit: MAX_DEPTH });
    expect(document.contents).toBeNull();
    expect(parseWithinBounds(nested(1500)).excess).toEqual(excess);
  });

  it('stops at a long file', () => {
    const lines = (count: number) => '- x\n'.repeat(count);
    expect(parseWithinBounds(lines(3000)).excess).toBeUndefined();
    const { excess } = parseWithinBounds(lines(100_000));
    expect(excess).toMatchObject({ code: 'too-many-tokens', limit: MAX_TOKENS });
    // It stops at the first token too many.
    expect(parseWithinBounds(lines(100_000).slice(0, excess!.offset)).excess).toBeUndefined();
  });

  it('stops in a later document too', () => {
    expect(parseWithinBounds(`a: x\n---\n${'['.repeat(100)}`).excess).toMatchObject({
      code: 'nested-too-deep',
    });
  });
});
