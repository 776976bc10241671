/** `catalogue dev`. */
import pico from 'picocolors';
import { outputFolder } from '../build/output-folder.ts';
import { routeSettings } from '../contract/configuration.ts';
import { LIST_PATH } from '../contract/keys.ts';
import { type DevServer, startDevServer } from '../dev/server.ts';
import { type SessionEvent, startSession } from '../dev/session.ts';
import { describeFailure } from '../errors.ts';
import { printable } from '../printable.ts';
import { contentPrefix, printRound, type Sink, tallyOf } from '../report/report.ts';
import { createRounds } from '../report/rounds.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type DevArguments = {
  content: string;
  out: string;
  baseUrl?: string;
  port: number;
  host: string;
  allowedHost: string[];
  open: boolean;
  jobs?: number;
};

/** Watches, builds and serves until the process is told to end. Returns the exit code. */
export async function runDev({
  port,
  host,
  allowedHost: allowedHosts,
  open: isOpened,
  ...options
}: DevArguments): Promise<number> {
  const sink = terminal();
  const colors = pico.createColors(sink.color);
  const prefix = contentPrefix(options.content);
  let server: DevServer | undefined;
  let wasTroubled = false;
  const next = createRounds();
  const tell = (event: SessionEvent) => {
    if (event.kind === 'trouble') {
      if (event.failure !== undefined) sink.err(`${describeFailure(event.failure).message}\n`);
      else {
        printRound(next(event.diagnostics), prefix, sink);
        sink.err(
          `${colors.red('Not shown')}: ${tallyOf(event.diagnostics)}. The last good catalogue stays up.\n`,
        );
      }
      wasTroubled = true;
    } else if (event.kind === 'fresh') {
      printRound(next(event.diagnostics), prefix, sink);
      const about = event.diagnostics.length > 0 ? `: ${tallyOf(event.diagnostics)}` : '';
      sink.err(
        `${colors.green(wasTroubled ? 'Mended' : 'Fresh')} in ${Math.round(event.milliseconds)} ms${about}.\n`,
      );
      wasTroubled = false;
    } else if (event.kind === 'waiting') sink.err(`${printable(event.message)}\n`);
    if (event.kind === 'fresh' || event.kind === 'trouble') server?.announce();
  };
  const session = await startSession({ ...options, listener: tell });
  try {
    const { public: root } = outputFolder(options.out);
    server = await startDevServer({ session, content: options.content, root, port, host, allowedHosts });
    const base = session.shown() ? routeSettings(session.shown()!.configuration).base : '';
    sink.out(`Watching ${printable(options.content)}, serving\n`);
    sink.out(`  ${server.url}${base}/\n  ${server.url}${base}${LIST_PATH}\n`);
    sink.out('Press Ctrl+C to end.\n');
    if (isOpened) await openBrowser(`${server.url}${base}/`, sink);
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    return 0;
  } finally {
    await server?.close();
    await session.close();
  }
}

/** Opens the page in the browser of this machine; a machine without one still serves it. */
async function openBrowser(url: string, sink: Sink): Promise<void> {
  const { default: open } = await import('open');
  try {
    const browser = await open(url);
    browser.on('error', () => sink.err(`No browser can be opened here. Open ${url} yourself.\n`));
  } catch {
    sink.err(`No browser can be opened here. Open ${url} yourself.\n`);
  }
}
