import { conformanceTest } from '../suite.ts';
import { workerServer } from './server.ts';

conformanceTest(workerServer);
