import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort, type RunningServer, type ServerInput, type ServerKind, startProgram } from '../server.ts';

const MODULES = '/usr/lib/apache2/modules';

/** Apache with the `.htaccess` file in the folder that it serves. */
export const apacheServer: ServerKind<'apache'> = {
  target: 'apache',
  computesNoPages: true,
  needs: [{ program: '/usr/sbin/apache2', package: 'apache2' }],
  start: async ({ root, edge, work }) => {
    const port = await freePort();
    cpSync(edge, root, { recursive: true, verbatimSymlinks: true });
    // Apache that root starts switches to another user, who cannot read temporary folders.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chmodSync(dirname(root), 0o755);
    const configuration = join(work, 'apache.conf');
    const modules = ['mpm_event', 'authz_core', 'dir', 'mime', 'rewrite', 'headers', 'include'];
    // The generated site, with the folder and port of the test.
    const site = readFileSync(join(edge, 'site.conf'), 'utf8')
      .replaceAll('/srv/catalogue/public', root)
      .replace(/Listen \d+/, `Listen 127.0.0.1:${port}`)
      .replace(/VirtualHost \*:\d+/, `VirtualHost 127.0.0.1:${port}`);
    writeFileSync(
      configuration,
      `${modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
ServerRoot ${work}
DefaultRuntimeDir ${work}
PidFile ${work}/apache.pid
ServerName localhost
${/^Listen /m.test(site) ? '' : `Listen 127.0.0.1:${port}`}
ErrorLog ${work}/error.log
${isRoot ? 'User www-data\nGroup www-data' : ''}
StartServers 1
ServerLimit 2
ThreadsPerChild 25
MaxRequestWorkers 50
MaxKeepAliveRequests 0
TypesConfig /dev/null
${site}
`,
    );
    // An entity tag is strong when the file is older than a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    return startProgram('/usr/sbin/apache2', ['-f', configuration, '-D', 'FOREGROUND'], port);
  },
  benchmark: startPlain,
};

/** The same server without the rewrite. */
async function startPlain({ root, work }: ServerInput): Promise<RunningServer> {
  const port = await freePort();
  const modules = ['mpm_event', 'authz_core', 'mime'];
  const path = join(work, 'plain-apache.conf');
  writeFileSync(
    path,
    `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ServerRoot ${work}
DefaultRuntimeDir ${work}
PidFile ${work}/plain-apache.pid
ServerName localhost
Listen 127.0.0.1:${port}
ErrorLog ${work}/plain-apache.log
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
StartServers 1
ServerLimit 2
ThreadsPerChild 25
MaxRequestWorkers 50
MaxKeepAliveRequests 0
TypesConfig /dev/null
AddType application/json .json
DocumentRoot ${root}
<Directory ${root}>
    Require all granted
    AllowOverride None
</Directory>
`,
  );
  return startProgram('/usr/sbin/apache2', ['-f', path, '-D', 'FOREGROUND'], port);
}
