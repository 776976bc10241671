/** Makes everything in `lib/` except the type declarations. The command line is last, since it digests the rest. */
import { bundleDocs } from './bundle-docs.ts';
import { bundleEdge } from './bundle-edge.ts';
import { bundlePages } from './bundle-pages.ts';

await bundleEdge();
bundleDocs();
await bundlePages();
await import('./bundle-cli.ts');
