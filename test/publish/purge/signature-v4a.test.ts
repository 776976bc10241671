import { createPublicKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { deriveV4aKey } from '../../../src/publish/purge/signature-v4a.ts';

it('derives the key that AWS derives (A1)', () => {
  // The account of the examples of AWS, whose key the SDKs of AWS test.
  const account = {
    accessKeyId: 'AKISORANDOMAASORANDOM',
    secretAccessKey: 'q+jcrXGc+0zWN6uzclKVhvMmUsIfRPa4rlRandom',
  };
  const { x, y } = createPublicKey(deriveV4aKey(account)).export({ format: 'jwk' });
  const hexadecimal = (part: string | undefined) => Buffer.from(part ?? '', 'base64url').toString('hex');
  expect(hexadecimal(x)).toBe('15d242ceebf8d8169fd6a8b5a746c41140414c3b07579038da06af89190fffcb');
  expect(hexadecimal(y)).toBe('0515242cedd82e94799482e4c0514b505afccf2c0c98d6a553bf539f424c5ec0');
});
