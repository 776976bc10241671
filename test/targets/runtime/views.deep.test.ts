import { describe, it } from 'vitest';
import { SERVERS } from '../../conformance/servers.ts';
import { LAYOUTS, tryViews } from './views.ts';

const RUNNING = ['cloudflare-worker', 'cloudflare-assets', 'fetch-handler'];

describe.each(SERVERS.filter(({ target }) => RUNNING.includes(target)))('$target', (kind) => {
  it.each(LAYOUTS)('shows a view of the explorer from the layout %s', (layout) => tryViews(kind, { layout }));
});
