/** The sources of credentials and the region. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createCredentialProvider, findRegion } from '../../../src/storage/s3/account.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** The files of AWS with these texts, and an environment with only the given variables. */
function setAccount(variables: Record<string, string> = {}, config = '', credentials = ''): void {
  const folder = temporaryFolder();
  const files = { AWS_CONFIG_FILE: config, AWS_SHARED_CREDENTIALS_FILE: credentials };
  const none = ['REGION', 'DEFAULT_REGION', 'PROFILE', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'SESSION_TOKEN'];
  for (const name of none) vi.stubEnv(`AWS_${name}`, undefined);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    vi.stubEnv(name, join(folder, name));
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

it('the region comes from the environment, before any file', async () => {
  const config = '[default]\nregion = eu-west-3\n';
  setAccount({ AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }, config);
  expect(await findRegion()).toBe('eu-west-1');
  setAccount({ AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-west-2' }, config);
  expect(await findRegion()).toBe('eu-west-2');
  setAccount({ AWS_REGION: 'eu-west-1' }, config);
  expect(await findRegion()).toBe('eu-west-1');
});

it('the region comes from the profile, in either file, and may be absent', async () => {
  const config = '[default]\nregion = eu-west-3\n[profile other]\nregion = eu-west-4\n';
  setAccount({}, config, '[default]\nregion = eu-west-9\n');
  expect(await findRegion()).toBe('eu-west-3');
  setAccount({ AWS_PROFILE: 'other' }, config);
  expect(await findRegion()).toBe('eu-west-4');
  setAccount({}, '', '[default]\nregion = eu-west-5\n');
  expect(await findRegion()).toBe('eu-west-5');
  setAccount({ AWS_PROFILE: 'missing' }, config);
  expect(await findRegion()).toBeUndefined();
});

it('credentials come from a file, or from the environment, and are kept', async () => {
  setAccount({}, '', '[default]\naws_access_key_id = FILE\naws_secret_access_key = secret\n');
  expect(await createCredentialProvider()()).toMatchObject({
    accessKeyId: 'FILE',
    secretAccessKey: 'secret',
  });
  setAccount({ AWS_ACCESS_KEY_ID: 'ONE', AWS_SECRET_ACCESS_KEY: 'secret' });
  const find = createCredentialProvider();
  expect(await find()).toMatchObject({ accessKeyId: 'ONE' });
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'TWO');
  expect(await find()).toMatchObject({ accessKeyId: 'ONE' });
  expect(await createCredentialProvider()()).toMatchObject({ accessKeyId: 'TWO' });
});

it('temporary credentials come from the environment, and a named profile comes first', async () => {
  const keys = { AWS_ACCESS_KEY_ID: 'ONE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
  setAccount(keys);
  const {
    accessKeyId: ONE,
    secretAccessKey: secret,
    sessionToken: token,
  } = await createCredentialProvider()();
  expect([ONE, secret, token]).toEqual(['ONE', 'secret', 'token']);
  const file = '[other]\naws_access_key_id = FILE\naws_secret_access_key = secret\n';
  setAccount({ ...keys, AWS_PROFILE: 'other' }, '', file);
  expect(await createCredentialProvider()()).toMatchObject({ accessKeyId: 'FILE' });
});

it('the library prints no warning about old versions of Node.js, unless the user wants it', async () => {
  const name = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED';
  setAccount({}, '', '[default]\naws_access_key_id = FILE\naws_secret_access_key = secret\n');
  vi.stubEnv(name, undefined);
  await createCredentialProvider()();
  expect(process.env[name]).toBe('true');
  vi.stubEnv(name, 'false');
  await createCredentialProvider()();
  expect(process.env[name]).toBe('false');
});
