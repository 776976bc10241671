import { packed } from '../server.ts';
import { conformanceTest } from '../suite.ts';
import { assetsServer } from './server.ts';

conformanceTest(packed(assetsServer));
