import { cloudfrontServer } from './servers/cloudfront.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(cloudfrontServer);
