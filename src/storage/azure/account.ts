/** Loads `@azure/storage-blob`, which users install themselves, and finds the account named in the environment. */
import type { StorageSharedKeyCredential } from '@azure/storage-blob';
import { EnvironmentError } from '../../errors/errors.ts';
import { BucketError } from '../bucket.ts';

export type AzureLibrary = typeof import('@azure/storage-blob');

export type AzureAccount = {
  readonly url: string;
  readonly key: StorageSharedKeyCredential;
};

/** @throws EnvironmentError `azure-package-missing`. */
export async function loadAzureLibrary(): Promise<AzureLibrary> {
  try {
    return await import('@azure/storage-blob');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new EnvironmentError(
      'azure-package-missing',
      'Azure Blob Storage needs a package that is not installed. Run "npm install @azure/storage-blob", then run the command again.',
      { cause: error },
    );
  }
}

/** Finds the account key, which signs expiring requests. @throws BucketError `bucket-credentials` */
export function azureAccountWithKey(
  library: AzureLibrary,
  name: string,
  endpoint: string | undefined,
): AzureAccount {
  const { AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_ACCOUNT, AZURE_STORAGE_KEY } = process.env;
  const { BlobServiceClient, StorageSharedKeyCredential } = library;
  if (AZURE_STORAGE_ACCOUNT && AZURE_STORAGE_KEY) {
    const url = endpoint ?? `https://${AZURE_STORAGE_ACCOUNT}.blob.core.windows.net`;
    return { url, key: new StorageSharedKeyCredential(AZURE_STORAGE_ACCOUNT, AZURE_STORAGE_KEY) };
  }
  try {
    const { url, credential } = BlobServiceClient.fromConnectionString(AZURE_STORAGE_CONNECTION_STRING ?? '');
    if (credential instanceof StorageSharedKeyCredential) return { url: endpoint ?? url, key: credential };
  } catch {
    // The error below leaves out the connection string, which may hold a key.
  }
  throw new BucketError(
    'bucket-credentials',
    `There is no account key for ${name}. Set AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY, or AZURE_STORAGE_CONNECTION_STRING with an account key.`,
    false,
  );
}
