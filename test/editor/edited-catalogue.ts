/** A catalogue in a repository, with a session that serves the page on which its properties are edited. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEditApi } from '../../src/dev/api/edit-api.ts';
import { createToken } from '../../src/dev/api/session-token.ts';
import { startDevServer } from '../../src/dev/preview/server.ts';
import { startSession } from '../../src/dev/session/session.ts';
import { PAGE_PATH } from '../../src/editor/api.ts';
import { temporaryFolder } from '../support/temporary.ts';

const SHIPPED = fileURLToPath(new URL('../../content', import.meta.url));
const PICTURES = fileURLToPath(new URL('../../starter/pictures', import.meta.url));

const SHIPPED_PROPERTIES = [
  'be/cosy-studio-historic-centre',
  'gr/central-athens-apartment',
  'gr/konta-sto-kentro',
];

/** Photos that are not in the catalogue yet. */
export const NEW_PHOTOS = ['1-the-cottage-above-the-sea', '2-the-living-room', '3-the-terrace'].map((name) =>
  join(PICTURES, `${name}.jpg`),
);

export type EditedCatalogue = Awaited<ReturnType<typeof startEditedCatalogue>>;

/**
 * Starts a session of three shipped properties, and of the files given, by their paths.
 *
 * @param isTop whether the content folder itself is the repository
 */
export async function startEditedCatalogue(files: Readonly<Record<string, string>> = {}, isTop = false) {
  const root = temporaryFolder();
  const content = join(root, 'content');
  const top = isTop ? content : root;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: top, encoding: 'utf8' });
  mkdirSync(join(content, 'properties'), { recursive: true });
  writeFileSync(
    join(content, 'catalogue.yaml'),
    'title: Stays by the sea\npage_sizes: [25]\ntargets: []\ndocs: false\n',
  );
  for (const [path, text] of Object.entries({ ...shipped(), ...files })) {
    mkdirSync(join(content, path, '..'), { recursive: true });
    writeFileSync(join(content, path), text);
  }
  for (const path of photosOf(Object.values(shipped()))) {
    mkdirSync(join(content, path, '..'), { recursive: true });
    cpSync(join(SHIPPED, path), join(content, path));
  }
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  writeFileSync(join(top, '.gitignore'), 'dist/\n');
  git('add', '.');
  git('commit', '--quiet', '--message=Begin');

  const start = async (port: number) => {
    let wake = () => {};
    const ready = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let server: Awaited<ReturnType<typeof startDevServer>> | undefined;
    const session = await startSession({
      content,
      out: join(root, 'dist'),
      jobs: 1,
      idle: 50,
      listener: (event) => {
        const { kind } = event;
        if (kind === 'files') server?.sendFiles(event.paths);
        if (kind === 'settled') wake();
      },
    });
    const token = createToken();
    const api = createEditApi(session, token);
    const place = { session, content, port, host: '127.0.0.1' };
    const started = await startDevServer({ ...place, edit: api.answer });
    server = started;
    await ready;
    const close = async () => {
      await started.close();
      await session.close();
      await api.close();
    };
    return { token, url: started.url, close };
  };
  let running = await start(0);
  return {
    content,
    git,
    /** Address of a view of the page. */
    address: (query = '') => `${running.url}${PAGE_PATH}${query}#${running.token}`,
    url: running.url,
    read: (path: string) => readFileSync(join(content, path), 'utf8'),
    write: (path: string, text: string) => writeFileSync(join(content, path), text),
    stop: () => running.close(),
    /** Starts another session at the same port. */
    async startAgain() {
      running = await start(Number(new URL(running.url).port));
    },
    close: () => running.close(),
  };
}

/** Shipped properties, by the paths of their files. */
function shipped(): Record<string, string> {
  const paths = SHIPPED_PROPERTIES.map((name) => `properties/${name}.yaml`);
  // Without the fields that only the shipped catalogue declares.
  const declared = /^(?:property_type|max_guests|bedrooms|beds|minimum_nights): .*\n+/gm;
  return Object.fromEntries(
    paths.map((path) => [path, readFileSync(join(SHIPPED, path), 'utf8').replace(declared, '')]),
  );
}

function photosOf(texts: readonly string[]): Set<string> {
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/- file: \.\.\/\.\.\/(\S+)/g)].map(([, path = '']) => path)),
  );
}
