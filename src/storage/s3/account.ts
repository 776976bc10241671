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
 * Finds the region: `AWS_REGION`, `AWS_DEFAULT_REGION`, or that of the profile.
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
