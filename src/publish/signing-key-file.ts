/** Reads and writes signing keys. A private key is never a command-line argument and never printed. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { UsageError } from '../errors/errors.ts';
import { fileErrorReason } from '../errors/file-error.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { readBoundedText } from '../files/files-and-folders.ts';
import { parsePrivateKeys } from '../release/signed-statement.ts';
import type { SigningOptions } from './sign.ts';

const MAX_BYTES = 100_000;

/**
 * Writes a new private Ed25519 key (RFC 8032). Returns its public key in Base64, in an array, as
 * {@link publicKeysOfKeyFile} does.
 * @throws UsageError `key-exists`
 */
export function createKeyFile(file: string): string[] {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  try {
    writeAtomically(file, `${text}\n`, { mode: 0o600, isDurable: true, isNew: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UsageError(
      'key-exists',
      `${file} is there already. A replaced key is lost: give another name.`,
    );
  }
  return [publicText(publicKey)];
}

export function publicKeysOfKeyFile(file: string): string[] {
  return readKeys(file).map((key) => publicText(createPublicKey(key)));
}

function readKeys(file: string): KeyObject[] {
  let text: string;
  try {
    text = readBoundedText(file, MAX_BYTES);
  } catch (error) {
    throw new UsageError(
      'unreadable-key-file',
      `The file of signing keys, ${file}, cannot be read: ${fileErrorReason(error)}. Correct its name, or make a key with "catalogue keys new <file>".`,
    );
  }
  return parsePrivateKeys(text);
}

export function resolveSigningOptions(file: string | undefined, days: number): SigningOptions | undefined {
  const { CATALOGUE_SIGNING_KEY: text } = process.env;
  if (file) return { keys: readKeys(file), days };
  return text ? { keys: parsePrivateKeys(text), days } : undefined;
}

function publicText(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}
