/** Tests the package with each supported version of Node.js, installed with npm. */
import { execSync } from 'node:child_process';

for (const version of ['20.19', '22', '24']) {
  execSync(`npm exec --yes --package=node@${version} -- vitest run test/start/package.deep.test.ts`, {
    stdio: 'inherit',
  });
}
