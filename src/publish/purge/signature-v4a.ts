/** Signature Version 4A of AWS, which is valid in every region and uses an elliptic curve key (P-256). */
import { createECDH, createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';

type Account = { readonly accessKeyId: string; readonly secretAccessKey: string };

export const V4A_ALGORITHM = 'AWS4-ECDSA-P256-SHA256';

/** The order of the curve minus two. The key is the digest plus one, so a larger digest makes no valid key. */
const MAX_CANDIDATE = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254fn;

export function deriveV4aKey({ accessKeyId, secretAccessKey }: Account): KeyObject {
  for (let counter = 1; counter < 255; counter++) {
    const digest = createHmac('sha256', `AWS4A${secretAccessKey}`)
      .update(Buffer.from([0, 0, 0, 1]))
      .update(`${V4A_ALGORITHM}\0${accessKeyId}`)
      // The counter, and the key length in bits.
      .update(Buffer.from([counter, 0, 0, 1, 0]))
      .digest('hex');
    const candidate = BigInt(`0x${digest}`);
    if (candidate > MAX_CANDIDATE) continue;
    const d = Buffer.from((candidate + 1n).toString(16).padStart(64, '0'), 'hex');
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(d);
    const point = curve.getPublicKey();
    const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
    const key = { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') };
    return createPrivateKey({ key, format: 'jwk' });
  }
  throw new Error('No key follows from these credentials.');
}

export function signV4a(text: string, account: Account): string {
  return sign('sha256', Buffer.from(text), deriveV4aKey(account)).toString('hex');
}
