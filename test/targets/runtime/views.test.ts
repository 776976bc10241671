import { describe, it } from 'vitest';
import { lambdaServer } from '../../conformance/lambda-edge/server.ts';
import { nodeServer } from '../../conformance/node/server.ts';
import { LAYOUTS, tryViews } from './views.ts';

describe.each(LAYOUTS)('a view of the explorer from the layout %s', (layout) => {
  it.each([nodeServer, lambdaServer])('has its title, content and links: $target', (kind) =>
    tryViews(kind, { layout }),
  );

  it('shows a list to those alone who have a key', () =>
    tryViews(nodeServer, { layout, keys: ['first-key-0123456789'] }));
});
