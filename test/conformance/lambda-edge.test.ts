import { lambdaServer } from './servers/lambda.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(lambdaServer);
