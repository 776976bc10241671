/** Names that every object has, as words of strangers: no table knows them. */
import { describe, expect, it } from 'vitest';
import { identifierToWords } from '../../src/contract/display-text.ts';
import { describeFailure } from '../../src/errors/errors.ts';
import { fileErrorReason } from '../../src/errors/file-error.ts';
import { explanationOf } from '../../src/report/explanation.ts';
import { findCurrencyByName } from '../../src/source/country-and-currency-aliases.ts';
import { correctedWord, findWordBySynonym } from '../../src/source/vocabulary-word.ts';
import { mainCurrencyOf } from '../../src/start/questions.ts';
import { errorFromResponse, isBusyCode } from '../../src/storage/http/errors.ts';
import { ownValue } from '../../src/values/own-value.ts';
import { termsFrom } from '../support/terms.ts';

describe.each(['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'])('%s', (name) => {
  const { facilities } = termsFrom().vocabulary;

  it('is in no table', () => {
    expect(ownValue({ a: 1 }, name)).toBeUndefined();
    expect(ownValue(JSON.parse(`{ "${name}": 1 }`), name)).toBe(1);
  });

  it('is no code of a country, a currency or a facility', () => {
    expect(mainCurrencyOf(name)).toBeUndefined();
    expect(findCurrencyByName(name, name)).toBeUndefined();
    expect(findWordBySynonym(name, facilities)).toBeUndefined();
    expect(correctedWord(name, facilities)).toBeUndefined();
    expect(identifierToWords(name)).toMatch(/^[A-Za-z_]+$/);
  });

  it('is no code of an error', () => {
    const error = Object.assign(new Error('boom'), { code: name });
    expect(fileErrorReason(error)).toBe(name);
    expect(describeFailure(error)).toEqual({ exitCode: 3, message: `failed: ${name}: boom` });
    expect(() => explanationOf(name)).toThrow(`"${name}" is not the code`);
  });

  it('is no code of a store', () => {
    const body = Buffer.from(`<Error><Code>${name}</Code><Message>${name}</Message></Error>`);
    const answer = { status: 403, headers: {}, body } as never;
    const asked = { where: 's3://stays/x', isConditional: false, region: 'eu-west-1' } as never;
    expect(errorFromResponse(answer, asked)).toMatchObject({ code: 'bucket-denied' });
    expect(isBusyCode(name)).toBe(false);
  });
});
