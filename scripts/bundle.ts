/** Makes all that `lib/` holds beside what the type compiler wrote, and bundles that, since the digest of everything comes last. */
import { bundleDocs } from './bundle-docs.ts';
import { bundleEdge } from './bundle-edge.ts';
import { bundlePages } from './bundle-pages.ts';

await bundleEdge();
bundleDocs();
await bundlePages();
await import('./bundle-cli.ts');
