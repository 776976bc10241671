import { conformanceTest } from '../suite.ts';
import { nodeServer } from './server.ts';

conformanceTest(nodeServer);
