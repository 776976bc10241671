import type { Credentials } from '../http/signing-types.ts';

/** Looks for credentials where AWS tools do, such as instance metadata. Caches them until they are about to expire. */
export function createCredentialProvider(): () => Promise<Credentials> {
  let provider: (() => Promise<Credentials>) | undefined;
  return async () => {
    const own = provider ? undefined : environmentCredentials();
    if (own) provider = async () => own;
    if (!provider) {
      // The library warns about versions of Node.js that this package supports.
      process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
      const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
      provider = defaultProvider();
    }
    return provider();
  };
}

/** Tried first unless a profile is named: loading AWS's library takes as long as 200 requests. */
function environmentCredentials(): Credentials | undefined {
  const { AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_PROFILE || !AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return undefined;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN || undefined,
  };
}

/** `AWS_REGION`, `AWS_DEFAULT_REGION`, or the region of the profile; undefined when none is set. */
export async function findRegion(): Promise<string | undefined> {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  if (AWS_REGION || AWS_DEFAULT_REGION) return AWS_REGION || AWS_DEFAULT_REGION;
  const { getProfileName, loadSharedConfigFiles } = await import('@smithy/core/config');
  const { configFile, credentialsFile } = await loadSharedConfigFiles();
  const profile = getProfileName({});
  return configFile[profile]?.region ?? credentialsFile[profile]?.region;
}
