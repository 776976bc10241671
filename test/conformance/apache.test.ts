import { apacheServer } from './servers/apache.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(apacheServer);
