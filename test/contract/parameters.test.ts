import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PARAMETERS, QUERY_RULES, type ValueRule, valueRule } from '../../src/contract/parameters.ts';
import { problemDocuments } from '../../src/contract/problem.ts';
import { route } from '../../src/contract/route.ts';

const takes = ({ pattern }: ValueRule, text: string) => new RegExp(`^(?:${pattern})$`).test(text);

describe('PARAMETERS', () => {
  it.each(PARAMETERS)(
    'has an example of $name, and a default, that its rule accepts',
    ({ value, ...parameter }) => {
      expect(value === undefined || takes(value, String(parameter.example))).toBe(true);
      expect(value?.bounds === undefined || takes(value, String(parameter.default))).toBe(true);
    },
  );

  it('has a pattern and bounds with the same meaning for whole numbers', () => {
    for (const { value } of PARAMETERS) {
      if (!value?.bounds) continue;
      const { minimum, maximum } = value.bounds;
      const edges = [minimum - 1, minimum, maximum, maximum + 1, maximum * 10].map((edge) =>
        fc.constant(edge),
      );
      fc.assert(
        fc.property(fc.oneof(fc.integer({ min: -10, max: maximum * 2 }), ...edges), (number) => {
          expect(takes(value, String(number))).toBe(number >= minimum && number <= maximum);
          expect(takes(value, `0${number}`)).toBe(false);
        }),
      );
    }
  });

  it('accepts exactly the sizes that a catalogue lists', () => {
    const rule = valueRule('size', [10, 25])!;
    expect(['10', '25', '1', '100', '2', '1025'].map((text) => takes(rule, text))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(rule).toMatchObject({ set: [10, 25], problem: 'invalid-page-size' });
    expect(valueRule('number', [10, 25])).not.toHaveProperty('set');
    expect(valueRule('size', 'all')).not.toHaveProperty('set');
    expect(valueRule('city', [10, 25])).toBeUndefined();
  });
});

describe('QUERY_RULES', () => {
  /** A query with a fault for one check, and none for the checks before it. */
  const queryOf = (check: (typeof QUERY_RULES)[number]) => {
    if (check.fault === 'unknown-name') return `${check.family}[other]=1`;
    const { name, example } = PARAMETERS.find(({ key }) => key === check.key)!;
    if (check.fault === 'repetition') return `${name}=${example}&${name}=${example}`;
    return check.fault === 'bad-encoding' ? `${name}=%zz` : `${name}=x`;
  };

  it('is in the order in which the router judges: of two faults it reports the first', () => {
    QUERY_RULES.forEach((first, index) => {
      for (const second of QUERY_RULES.slice(index)) {
        const isPair = first === second;
        const query = isPair ? queryOf(first) : `${queryOf(second)}&${queryOf(first)}`;
        // Two values of one parameter are a repetition, whatever they contain.
        if (!isPair && 'key' in first && 'key' in second && first.key === second.key) continue;
        expect(route('GET', '/api/v1/public/properties', query, { base: '', sizes: 'all' }), query).toEqual({
          kind: 'problem',
          name: first.problem,
        });
      }
    });
  });

  it('has a problem document for each check', () => {
    const documents = problemDocuments({ base: '', sizes: 'all' });
    for (const { problem } of QUERY_RULES) expect(documents.get(problem)?.status, problem).toBe(400);
  });
});
