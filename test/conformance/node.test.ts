import { nodeServer } from './servers/node.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(nodeServer);
