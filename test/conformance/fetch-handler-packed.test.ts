import { packed } from './packed.ts';
import { fetchServer } from './servers/workerd.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(packed(fetchServer));
