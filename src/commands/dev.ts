import type { LaunchPage } from '../dev/api/launch-page-file.ts';
import type { DevServer } from '../dev/preview/server.ts';
import { printable } from '../text/printable.ts';
import {
  actionWithExitCode,
  allowedHostOption,
  asOfOption,
  baseUrlOption,
  contentOption,
  createCommand,
  jobsOption,
  listenOption,
  outOption,
  portOption,
} from './command.ts';
import { oldListenOption } from './deprecated-names.ts';
import { waitForStopSignal } from './stop-signals.ts';
import { terminal } from './terminal.ts';

const STILL_ENDING =
  'Ending, once a build or a request under way has ended. Press Ctrl+C again to end at once.\n';
/** Milliseconds that ending may take before {@link STILL_ENDING} is printed. */
const PATIENCE = 300;

export const devCommand = () =>
  createCommand('dev', {
    does: 'serve the catalogue while it is edited: what is saved is shown at once',
    examples: ['dev --open', 'dev --port 3000', 'dev --as-of 2027-07-01'],
    guide: ['dev'],
  })
    .addOption(contentOption())
    .addOption(outOption())
    .addOption(baseUrlOption())
    .addOption(portOption())
    .addOption(listenOption())
    .addOption(oldListenOption())
    .addOption(allowedHostOption())
    .option('--open', 'open the page of the catalogue in the browser', false)
    .option('--edit', 'open the page that edits properties in the browser', false)
    .addOption(asOfOption())
    .addOption(jobsOption())
    .action(
      actionWithExitCode(
        async ({ port, allowedHost: allowedHosts, open: opensCatalogue, edit: opensEditor, ...given }) => {
          const { createEditApi } = await import('../dev/api/edit-api.ts');
          const { createToken } = await import('../dev/api/session-token.ts');
          const { createSessionReporter } = await import('../dev/session/session-report.ts');
          const { PAGE_PATH } = await import('../editor/api.ts');
          const { startDevServer } = await import('../dev/preview/server.ts');
          const { startSession } = await import('../dev/session/session.ts');
          const { writeLaunchPage } = await import('../dev/api/launch-page-file.ts');
          const { content, asOf, out, listen, host = listen } = given;
          const sink = terminal();
          let server: DevServer | undefined;
          const report = createSessionReporter(content, sink, () => server?.urls()[0]);
          let launchPage: LaunchPage | undefined;
          const session = await startSession({
            ...given,
            listener: (event) => {
              report(event);
              if (event.kind === 'files') server?.sendFiles(event.paths);
            },
          });
          const token = createToken();
          const editApi = createEditApi(session, token);
          try {
            const edit = editApi.answer;
            server = await startDevServer({ session, content, port, host, allowedHosts, edit });
            const [page = '', list = ''] = server.urls();
            const editor = `${server.url}${PAGE_PATH}#${token}`;
            sink.out(`Watching ${printable(content)}, serving\n  ${page}\n  ${list}\n`);
            sink.out(`Edit properties at\n  ${editor}\nPress Ctrl+C to end.\n`);
            if (asOf) sink.out(`It is the catalogue as of ${asOf.toISOString()}.\n`);
            const stopped = waitForStopSignal();
            if (opensCatalogue) await openBrowser(page, page, sink.err);
            if (opensEditor) {
              launchPage = writeLaunchPage(out, editor);
              await openBrowser(launchPage.path, editor, sink.err);
            }
            await stopped;
            return 0;
          } finally {
            launchPage?.remove();
            const patience = setTimeout(() => sink.err(STILL_ENDING), PATIENCE);
            await server?.close();
            await editApi.close().finally(session.close);
            clearTimeout(patience);
          }
        },
      ),
    );

async function openBrowser(target: string, url: string, say: (text: string) => void): Promise<void> {
  const { default: open } = await import('open');
  const fail = () => say(`No browser can be opened here. Open ${url} yourself.\n`);
  try {
    const browser = await open(target);
    browser.on('error', fail);
  } catch {
    fail();
  }
}
