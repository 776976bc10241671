import { workerServer } from './servers/workerd.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(workerServer);
