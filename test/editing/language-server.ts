/** The real YAML language server, as an editor talks to it (Language Server Protocol 3.17 over pipes). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(
  new URL('../../node_modules/yaml-language-server/bin/yaml-language-server', import.meta.url),
);

type Message = { id?: number; method?: string; params?: unknown; result?: unknown; error?: unknown };

export type Position = { line: number; character: number };

/** The underlined places. */
export type Squiggle = { range: { start: Position; end: Position }; message: string };

export type LanguageServer = Awaited<ReturnType<typeof startLanguageServer>>;

/** Starts the server with the default settings of an editor, except that it uses no network. */
export async function startLanguageServer(root: string) {
  const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = new Map<number, (message: Message) => void>();
  const published = new Map<string, Squiggle[]>();
  const waiting = new Map<string, (squiggles: Squiggle[]) => void>();
  let ids = 0;

  const send = (message: Message) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const ask = async <Result>(method: string, params: unknown): Promise<Result> => {
    const id = ++ids;
    const answer = new Promise<Message>((resolve) => answers.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as Result;
  };
  const settings = { validate: true, hover: true, completion: true, schemaStore: { enable: false } };
  const receive = (message: Message) => {
    const { id, method, params } = message;
    if (method === undefined) {
      answers.get(id!)?.(message);
      return;
    }
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: Squiggle[] };
      published.set(uri, diagnostics);
      waiting.get(uri)?.(diagnostics);
    } else if (method === 'workspace/configuration') {
      const { items } = params as { items: { section: string }[] };
      send({ id: id!, result: items.map(({ section }) => (section === 'yaml' ? settings : null)) });
    } else if (id !== undefined) send({ id, result: null });
  };

  let rest = Buffer.alloc(0);
  child.stdout.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = rest.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/i.exec(rest.toString('latin1', 0, Math.max(0, head)))?.[1],
      );
      if (head < 0 || rest.length < head + 4 + length) return;
      const body = rest.toString('utf8', head + 4, head + 4 + length);
      rest = rest.subarray(head + 4 + length);
      receive(JSON.parse(body));
    }
  });

  await ask('initialize', {
    processId: process.pid,
    rootUri: `file://${root}`,
    workspaceFolders: [{ uri: `file://${root}`, name: 'catalogue' }],
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true },
      textDocument: {
        completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
        hover: { contentFormat: ['markdown'] },
        publishDiagnostics: {},
      },
    },
  });
  send({ method: 'initialized', params: {} });

  return {
    /** Opens a document. Resolves with its underlined places. */
    async open(uri: string, text: string): Promise<Squiggle[]> {
      const squiggles = new Promise<Squiggle[]>((resolve) => waiting.set(uri, resolve));
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'yaml', version: 1, text } },
      });
      return squiggles;
    },
    /** Labels of the suggestions at a place, each with its explanation and inserted text. */
    async complete(uri: string, position: Position) {
      const list = await ask<{
        items: { label: string; insertText?: string; documentation?: string | { value: string } }[];
      }>('textDocument/completion', { textDocument: { uri }, position });
      return new Map(
        list.items.map(({ label, insertText = label, documentation = '' }) => [
          label,
          {
            insertText,
            documentation: typeof documentation === 'string' ? documentation : documentation.value,
          },
        ]),
      );
    },
    /** The text that is shown while the mouse rests on a place. */
    async hover(uri: string, position: Position): Promise<string> {
      const hover = await ask<{ contents: { value: string } } | null>('textDocument/hover', {
        textDocument: { uri },
        position,
      });
      return hover?.contents.value ?? '';
    },
    async stop(): Promise<void> {
      await ask('shutdown', null);
      const ended = once(child, 'exit');
      send({ method: 'exit' });
      await ended;
    },
  };
}
