import type { ServerResponse } from 'node:http';
import type { FilesEvent } from '../../editor/api.ts';

export type EventStream = {
  /** Keeps the response open until the page closes. */
  readonly listen: (response: ServerResponse) => void;
  /** Sends two events: `files` with the paths, then `state`. */
  readonly sendFiles: (paths: readonly string[] | null) => void;
};

const MAX_PATHS = 100;

export function createEventStream(state: () => object): EventStream {
  const listeners = new Set<ServerResponse>();
  const send = (kind: string, data: object) => {
    for (const response of listeners) response.write(eventText(kind, data));
  };
  return {
    listen(response) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.write(`retry: 500\n${eventText('state', state())}`);
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    },
    sendFiles(paths) {
      const event: FilesEvent = { paths: paths && paths.length > MAX_PATHS ? null : paths };
      send('files', event);
      if (listeners.size > 0) send('state', state());
    },
  };
}

function eventText(kind: string, data: object): string {
  return `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
