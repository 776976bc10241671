import { packed } from './packed.ts';
import { nodeServer } from './servers/node.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(packed(nodeServer));
