import { packed } from '../server.ts';
import { conformanceTest } from '../suite.ts';
import { fetchServer } from './server.ts';

conformanceTest(packed(fetchServer));
