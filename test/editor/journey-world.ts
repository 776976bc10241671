/**
 * The world of a random journey: property files in a repository, with a clone of a colleague and the place that both
 * share, the editor's API over HTTP as `catalogue dev` answers it (without builds), a network that fails, and tabs that are closed without warning. Tabs run the modules of the page
 * (`property-state`, `property-saving`, `property-opening`, `photos`, `client`); drafts are kept in memory, with the
 * meaning of `unsaved-drafts.ts`.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, posix } from 'node:path';
import { parse } from 'yaml';
import { createEditApi, type EditApi } from '../../src/dev/api/edit-api.ts';
import { tokenCookie } from '../../src/dev/api/session-token.ts';
import { createUncheckedFileIndex } from '../../src/dev/session/file-index.ts';
import type { Session } from '../../src/dev/session/session.ts';
import { createEditorClient } from '../../src/editor/client.ts';
import { createPhotoStore } from '../../src/editor/photo-url-store.ts';
import { createPropertyStore, type PropertyStore } from '../../src/editor/property-state.ts';
import type { DraftWithPhotos, UnsavedDraft, UnsavedDraftStore } from '../../src/editor/unsaved-drafts.ts';
import { readConfiguration } from '../../src/source/configuration-file.ts';
import { configureGit, run } from '../dev/git/repository.ts';

type Values = Readonly<Record<string, unknown>>;

export function openWorld(content: string) {
  let api: EditApi | undefined;
  let token = '';
  let cookie = '';
  let sessions = 0;
  /** What happens to requests: `mute` loses the answer, after the request had its effect. */
  let network: 'on' | 'off' | 'mute' = 'on';
  const start = () => {
    token = `session-${++sessions}`;
    const session: Partial<Session> = {
      content,
      index: () => createUncheckedFileIndex(content),
      fileRecord: () => undefined,
      shown: () => undefined,
      configuration: () => readConfiguration(content).usable,
      instant: () => Date.now(),
      diagnostics: () => [],
      notify: () => {},
      rescan: () => {},
    };
    api = createEditApi(session as Session, token);
  };
  const server = createServer((request, response) => {
    if (network === 'off' || !api) return void request.destroy();
    if (network === 'mute') response.end = (() => response.destroy()) as never;
    api.answer(request, response);
  });
  start();
  const kept = new Map<string, { draft?: UnsavedDraft; photos: Map<string, File> }>();
  const held = new Map<string, object>();
  return {
    content,
    kept,
    listen: () => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)),
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Gives all tabs the cookie of the present session, as its address does. */
    enter() {
      cookie = tokenCookie(new URL(this.url()).host, token);
    },
    cookie: () => cookie,
    setNetwork(state: typeof network) {
      network = state;
    },
    network: () => network,
    /** Ends the session, as Ctrl+C does, or as a kill does, and starts another one. */
    async restart(isKilled: boolean) {
      if (!isKilled) await api?.close();
      start();
    },
    async close() {
      await api?.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    /** Files by their paths. */
    files: (folder = content): ReadonlyMap<string, Values> => {
      if (!existsSync(join(folder, 'properties'))) return new Map();
      const names = readdirSync(join(folder, 'properties'), { recursive: true, encoding: 'utf8' });
      const paths = names.filter((name) => name.endsWith('.yaml')).map((name) => `properties/${name}`);
      return new Map(paths.map((path) => [path, parse(readFileSync(join(folder, path), 'utf8')) ?? {}]));
    },
    /** Records all files, and gives them to a colleague. */
    share() {
      const top = dirname(content);
      writeFileSync(join(top, '.gitignore'), 'shared\nben\n');
      run(top, 'init', '--quiet', '--initial-branch=main');
      configureGit(top);
      run(top, 'add', '.');
      run(top, 'commit', '--quiet', '--message=Start');
      run(top, 'clone', '--quiet', '--bare', '.', 'shared');
      run(top, 'remote', 'add', 'origin', join(top, 'shared'));
      run(top, 'fetch', '--quiet', 'origin');
      run(top, 'branch', '--quiet', '--set-upstream-to=origin/main');
      run(top, 'clone', '--quiet', 'shared', 'ben');
      configureGit(join(top, 'ben'), 'Ben');
    },
    /** Lets the colleague change what is shared, and send it. */
    colleague(act: (properties: string) => void) {
      const ben = join(dirname(content), 'ben');
      run(ben, 'fetch', '--quiet');
      run(ben, 'reset', '--quiet', '--hard', 'origin/main');
      act(join(ben, 'content'));
      run(ben, 'add', '--all');
      run(ben, 'commit', '--quiet', '--allow-empty', '--message=Of Ben');
      run(ben, 'push', '--quiet');
    },
    read: (path: string) => readFileSync(join(content, path), 'utf8'),
    write(path: string, text: string) {
      mkdirSync(dirname(join(content, path)), { recursive: true });
      writeFileSync(join(content, path), text);
    },
    move(from: string, to: string) {
      mkdirSync(dirname(join(content, to)), { recursive: true });
      renameSync(join(content, from), join(content, to));
    },
    remove: (path: string) => rmSync(join(content, path)),
    photoAt: (property: string, file: string) => join(content, posix.join(posix.dirname(property), file)),
    drafts(tab: object): UnsavedDraftStore {
      const slot = (id: string) => {
        const known = kept.get(id) ?? { photos: new Map<string, File>() };
        kept.set(id, known);
        return known;
      };
      const hold = async (id: string) => {
        if (held.has(id) && held.get(id) !== tab) return false;
        held.set(id, tab);
        return true;
      };
      return {
        note: async () => undefined,
        keepNote: () => {},
        hold,
        async all() {
          const found = [...kept.values()].flatMap(({ draft }) => draft ?? []).sort((a, b) => b.at - a.at);
          return {
            closed: found.filter(({ id }) => !held.has(id)),
            open: found.filter(({ id }) => held.has(id)),
          };
        },
        release: (id) => void held.delete(id),
        released: () => new Promise(() => {}),
        keep: (draft) => {
          slot(draft.id).draft = structuredClone(draft);
        },
        drop: (id) => void kept.delete(id),
        keepPhoto: (id, name, photo) => void slot(id).photos.set(name, photo),
        async take(id): Promise<DraftWithPhotos | undefined> {
          if (!(await hold(id))) return undefined;
          const { draft, photos } = slot(id);
          return draft && structuredClone({ ...draft, photos });
        },
      };
    },
    /** Lets go of what a tab held, as a browser does when it is closed or crashes. */
    forget(tab: object) {
      for (const [id, holder] of held) if (holder === tab) held.delete(id);
    },
  };
}

export type World = ReturnType<typeof openWorld>;

export type Tab = {
  readonly drafts: UnsavedDraftStore;
  readonly client: ReturnType<typeof createEditorClient>;
  readonly open: (
    options: Pick<Parameters<typeof createPropertyStore>[0], 'first' | 'draft'>,
  ) => PropertyStore;
};

/** Opens a tab at the address of the present session. */
export function openTab(world: World): Tab {
  world.enter();
  const client = createEditorClient();
  const tab = {};
  const drafts = world.drafts(tab);
  const store = createPhotoStore({ photo: () => Promise.reject(new Error('no picture is looked at')) });
  return {
    drafts: { ...drafts, release: (id) => drafts.release(id) },
    client,
    open: (options) => createPropertyStore({ client, drafts, store, ...options }),
  };
}
