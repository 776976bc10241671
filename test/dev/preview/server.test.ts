import { expect, it, onTestFinished } from 'vitest';
import { type ServedSession, startDevServer } from '../../../src/dev/preview/server.ts';

it('says what fails, and not that the first build goes on', async () => {
  const session = {
    root: '/nowhere',
    configuration: () => ({ base_url: 'http://localhost' }),
    drafts: () => [],
    diagnostics: () => [],
    failure: () => undefined,
    readConsistently: (act: () => Promise<unknown>) => act(),
    shown: () => ({
      release: 'one',
      configuration: {
        get api_keys() {
          throw new Error('The state of the last build cannot be read.');
        },
      },
    }),
  } as unknown as ServedSession;
  const server = await startDevServer({ session, content: 'content', port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  const answer = await fetch(`${server.url}/`, { headers: { Accept: 'text/html' } });
  expect([answer.status, await answer.text()]).toEqual([
    500,
    expect.stringContaining('The state of the last build cannot be read.'),
  ]);
});
