import { fetchServer } from './servers/workerd.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(fetchServer);
