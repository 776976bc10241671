import { packed } from './packed.ts';
import { lambdaServer } from './servers/lambda.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(packed(lambdaServer));
