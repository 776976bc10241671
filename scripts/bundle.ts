/** Makes everything in `lib/` that the type compiler does not write. The command line is last: it digests all the rest. */
import { bundleDocs } from './bundle-docs.ts';
import { bundleEdge } from './bundle-edge.ts';
import { bundlePages } from './bundle-pages.ts';

await bundleEdge();
bundleDocs();
await bundlePages();
await import('./bundle-cli.ts');
