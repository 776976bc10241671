/** Finds credentials and region in the places that AWS tools use. Loaded with the first request only. */
import type { Credentials } from './signature.ts';

/**
 * Returns a lookup of credentials in the environment, in AWS's configuration and credentials files (profiles, single
 * sign-on, processes, assumed roles), and in the metadata of a container or machine. Caches them until shortly before
 * they expire.
 */
export function findCredentials(): () => Promise<Credentials> {
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

/**
 * Returns the credentials in the environment, which come first unless a profile is named. Loading the library takes as long as
 * 200 requests.
 */
function environmentCredentials(): Credentials | undefined {
  const { AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_PROFILE || !AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return undefined;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN || undefined,
  };
}

/**
 * Finds the region: `AWS_REGION`, `AWS_DEFAULT_REGION`, or the region of the profile.
 *
 * @returns undefined when no region is set anywhere.
 */
export async function findRegion(): Promise<string | undefined> {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  if (AWS_REGION || AWS_DEFAULT_REGION) return AWS_REGION || AWS_DEFAULT_REGION;
  const { getProfileName, loadSharedConfigFiles } = await import('@smithy/core/config');
  const { configFile, credentialsFile } = await loadSharedConfigFiles();
  const profile = getProfileName({});
  return configFile[profile]?.region ?? credentialsFile[profile]?.region;
}
