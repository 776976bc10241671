import { conformanceTest } from '../suite.ts';
import { assetsServer } from './server.ts';

conformanceTest(assetsServer);
