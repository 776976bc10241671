/** Statements: what they sign, and what a reader refuses. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ReleaseStatement } from '../../src/contract/release-statement.ts';
import {
  CLOCK_TOLERANCE,
  checkStatement,
  parsePrivateKeys,
  parsePublicKeys,
  sha256Hex,
  signStatement,
} from '../../src/release/signed-statement.ts';

const [key, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const ROOT = Buffer.from('{"version":3}\n');
const PUBLISHED = Date.UTC(2026, 0, 1);
const EXPIRES = Date.UTC(2026, 2, 1);
const CATALOGUE = 'https://stays.example';
const STATEMENT: ReleaseStatement = {
  ...{ version: 1, catalogue: CATALOGUE, release: '0a1b2c', number: 7 },
  root: sha256Hex(ROOT),
  published: new Date(PUBLISHED).toISOString(),
  expires: new Date(EXPIRES).toISOString(),
};
const SIGNED = signStatement(STATEMENT, [key.privateKey]);
const TRUST = { keys: [key.publicKey], catalogue: CATALOGUE, now: PUBLISHED + 1000 };

const codeOf = (
  found: Buffer | undefined,
  trust: Partial<typeof TRUST & { seen: number }> = {},
  root = ROOT,
) => {
  try {
    return checkStatement(found, root, { ...TRUST, ...trust }).number;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it('accepts a statement, also once its number was seen', () => {
  expect(codeOf(SIGNED)).toBe(7);
  expect(codeOf(SIGNED, { seen: 7 })).toBe(7);
});

it('signs the first line with its line feed', () => {
  expect(SIGNED.toString('utf8')).toMatch(
    /^\{"version":1,"catalogue":"https:\/\/stays\.example","release":"0a1b2c","number":7,"root":"[0-9a-f]{64}","published":"2026-01-01T00:00:00\.000Z","expires":"2026-03-01T00:00:00\.000Z"\}\n\{"key":"[0-9a-f]{16}","signature":"[A-Za-z0-9+/]{86}=="\}\n$/,
  );
});

it('refuses each attack with a code of its own', () => {
  expect(codeOf(SIGNED, { seen: 8 })).toBe('release-rolled-back');
  expect(codeOf(SIGNED, { keys: [other.publicKey] })).toBe('wrong-key');
  expect(codeOf(Buffer.from(SIGNED.toString('utf8').replace('"number":7', '"number":9')))).toBe('wrong-key');
  expect(codeOf(SIGNED, { catalogue: 'https://other.example' })).toBe('wrong-catalogue');
  expect(codeOf(SIGNED, {}, Buffer.from('{"version":4}\n'))).toBe('root-differs');
  expect(codeOf(SIGNED, {}, ROOT.subarray(0, 9))).toBe('root-differs');
  expect(codeOf(undefined)).toBe('statement-missing');
  for (const text of [
    '',
    '{}',
    'null\n',
    '{"version":1}\n',
    SIGNED.toString('utf8').replace('"number":7', '"number":0'),
  ])
    expect(codeOf(Buffer.from(text)), text).toBe('statement-damaged');
  expect(codeOf(SIGNED.subarray(0, -20))).toBe('statement-damaged');
});

it('tolerates a clock that is an hour off, and no more', () => {
  expect(codeOf(SIGNED, { now: EXPIRES + CLOCK_TOLERANCE })).toBe(7);
  expect(codeOf(SIGNED, { now: EXPIRES + CLOCK_TOLERANCE + 1 })).toBe('statement-expired');
  expect(codeOf(SIGNED, { now: PUBLISHED - CLOCK_TOLERANCE })).toBe(7);
  expect(codeOf(SIGNED, { now: PUBLISHED - CLOCK_TOLERANCE - 1 })).toBe('statement-early');
});

it('may be signed by two keys, and checked by either', () => {
  const both = signStatement(STATEMENT, [other.privateKey, key.privateKey]);
  expect(codeOf(both)).toBe(7);
  expect(codeOf(both, { keys: [other.publicKey] })).toBe(7);
  expect(
    codeOf(signStatement(STATEMENT, [other.privateKey]), { keys: [key.publicKey, other.publicKey] }),
  ).toBe(7);
});

it('parses keys, and never repeats the text of one', () => {
  const text = key.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  const open = key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  expect(
    parsePrivateKeys(`${text}\n${text}\n`).map((one) => createPublicKey(one).equals(key.publicKey)),
  ).toEqual([true, true]);
  expect(parsePublicKeys(`${open},${open}`)).toHaveLength(2);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const wrong = rsa.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  for (const bad of ['', text.slice(3), wrong, open]) {
    expect(() => parsePrivateKeys(bad)).toThrow(
      /^A signing key is not one that "catalogue keys new" wrote\.$/,
    );
  }
  expect(() => parsePublicKeys(text.slice(5))).toThrow('A public key is not one');
});
