import { conformanceTest } from '../suite.ts';
import { cloudfrontServer } from './server.ts';

conformanceTest(cloudfrontServer);
