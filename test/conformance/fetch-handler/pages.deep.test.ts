import { conformanceTest } from '../suite.ts';
import { fetchServer } from './server.ts';

conformanceTest(fetchServer);
