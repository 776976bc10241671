import { packed } from './packed.ts';
import { workerServer } from './servers/workerd.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(packed(workerServer));
