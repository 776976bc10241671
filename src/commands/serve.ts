import { describeFailure } from '../errors/errors.ts';
import { printable } from '../text/printable.ts';
import {
  actionWithExitCode,
  allowedHostOption,
  contentOption,
  createCommand,
  existingOutOption,
  listenOption,
  portOption,
} from './command.ts';
import { oldListenOption } from './deprecated-names.ts';
import { waitForStopSignal } from './stop-signals.ts';
import { terminal } from './terminal.ts';

export const serveCommand = () =>
  createCommand('serve', {
    does: 'answer the URLs of the API on this machine',
    examples: ['serve', 'serve --port 3000 --listen 0.0.0.0 --allowed-host stays.test'],
    guide: ['quick-start', 'your-own-catalogue'],
  })
    .addOption(existingOutOption())
    .addOption(contentOption())
    .addOption(portOption())
    .addOption(listenOption())
    .addOption(oldListenOption())
    .addOption(allowedHostOption())
    .action(
      actionWithExitCode(async ({ content, out, port, listen, host = listen, allowedHost }) => {
        const { openBuiltCatalogue } = await import('../serve/built-catalogue.ts');
        const { startServer } = await import('../serve/server.ts');
        const { root, apiKeys, urls } = openBuiltCatalogue(out, content);
        const { out: print, err } = terminal();
        const printed = new Set<string>();
        const onError = (error: unknown) => {
          const { message } = describeFailure(error);
          if (!printed.has(message)) err(`${message}\n`);
          printed.add(message);
        };
        const server = await startServer({ root, port, host, allowedHosts: allowedHost, apiKeys, onError });
        print(`Serving ${printable(root)}\n`);
        for (const url of urls) print(`  ${printable(server.url + url)}\n`);
        print('Press Ctrl+C to end.\n');
        await waitForStopSignal();
        await server.close();
        return 0;
      }),
    );
