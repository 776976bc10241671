import { packed } from '../server.ts';
import { conformanceTest } from '../suite.ts';
import { nodeServer } from './server.ts';

conformanceTest(packed(nodeServer));
