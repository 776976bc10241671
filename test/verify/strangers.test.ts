/** A catalogue whose files a stranger wrote: it is verified to an end, with differences or a named error. */
import { createServer } from 'node:http';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { EnvironmentError, UsageError } from '../../src/errors/errors.ts';
import { listen } from '../../src/serve/listen.ts';
import { verifyDeployment } from '../../src/verify/verify.ts';
import { anyChange, strange } from '../publish/strangers.ts';

it('verify ends with differences or a named error (B1)', async () => {
  let objects = await strange([]);
  const server = createServer(({ url = '' }, response) => {
    const body = objects.get(url.replace(/^\/|\?.*$/g, ''))?.body;
    response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' }).end(body);
  });
  const url = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => void server.close());
  const counts = { differs: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 3 }), async (changes) => {
      objects = await strange(changes);
      try {
        const { differences } = await verifyDeployment(url, { sample: 1, timeout: 2000 });
        counts.differs++;
        // It is no server of the API: the list has another path.
        expect(differences.length).toBeGreaterThan(0);
        for (const one of differences)
          expect(Object.values(one).every((text) => typeof text === 'string')).toBe(true);
      } catch (error) {
        counts.refused++;
        if (!(error instanceof UsageError) && !(error instanceof EnvironmentError)) throw error;
      }
    }),
    { numRuns: 8 },
  );
  expect(counts.differs + counts.refused).toBe(8);
});
