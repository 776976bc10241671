/** `catalogue dev`. */
import { join } from 'node:path';
import type { DevServer } from '../dev/server.ts';
import { printable } from '../printable.ts';
import {
  allowedHostOption,
  asked,
  asOfOption,
  baseUrlOption,
  contentOption,
  createCommand,
  exits,
  hostOption,
  jobsOption,
  outOption,
  portOption,
} from './command.ts';
import { terminal } from './terminal.ts';

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
    .addOption(hostOption())
    .addOption(allowedHostOption())
    .option('--open', 'open the page of the catalogue in the browser', false)
    .option('--edit', 'open the page that edits properties in the browser', false)
    .addOption(asOfOption())
    .addOption(jobsOption())
    .action(
      exits(async ({ port, host, allowedHost: allowedHosts, open: isOpened, edit: isEdited, ...given }) => {
        const { outputFolder } = await import('../build/output-folder.ts');
        const { createEditApi } = await import('../dev/api/edit-api.ts');
        const { createToken } = await import('../dev/api/guard.ts');
        const { createSessionReport } = await import('../dev/report.ts');
        const { PAGE_PATH } = await import('../editor/api.ts');
        const { startDevServer } = await import('../dev/server.ts');
        const { startSession } = await import('../dev/session.ts');
        const options = { ...given, out: outFor(given) };
        const { content, out } = options;
        const sink = terminal();
        const report = createSessionReport(content, sink);
        let server: DevServer | undefined;
        const session = await startSession({
          ...options,
          listener: (event) => {
            report(event);
            if (event.kind === 'fresh' || event.kind === 'trouble') server?.announce();
            if (event.kind === 'files') server?.sendFiles(event.paths);
          },
        });
        const token = createToken();
        const editApi = createEditApi(session, token);
        try {
          const { public: root } = outputFolder(out);
          const edit = editApi.answer;
          server = await startDevServer({ session, content, root, port, host, allowedHosts, edit });
          const [page = '', list = ''] = server.urls();
          const editor = `${server.url}${PAGE_PATH}#${token}`;
          sink.out(`Watching ${printable(content)}, serving\n  ${page}\n  ${list}\n`);
          sink.out(`Edit properties at\n  ${editor}\nPress Ctrl+C to end.\n`);
          if (given.asOf) sink.out(asOfText(given.asOf, given.out, out));
          if (isOpened) await openBrowser(page, sink.err);
          if (isEdited) await openBrowser(editor, sink.err);
          await asked();
          return 0;
        } finally {
          await server?.close();
          await editApi.close();
          await session.close();
        }
      }),
    );

/** Where the output goes: what "publish" sends is the catalogue of the commit, and never that of another day. */
function outFor({ asOf, out }: { readonly asOf?: Date; readonly out: string }): string {
  return asOf ? join(out, 'as-of') : out;
}

function asOfText(asOf: Date, out: string, own: string): string {
  return `It is the catalogue as of ${asOf.toISOString()}, in ${printable(own)}. ${printable(out)} stays as it is.\n`;
}

/** Opens the page in the browser of this machine; a machine without one still serves it. */
async function openBrowser(url: string, say: (text: string) => void): Promise<void> {
  const { default: open } = await import('open');
  const fail = () => say(`No browser can be opened here. Open ${url} yourself.\n`);
  try {
    const browser = await open(url);
    browser.on('error', fail);
  } catch {
    fail();
  }
}
