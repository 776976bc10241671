import { conformanceTest } from '../suite.ts';
import { apacheServer } from './server.ts';

conformanceTest(apacheServer);
