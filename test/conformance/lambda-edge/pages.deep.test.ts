import { conformanceTest } from '../suite.ts';
import { lambdaServer } from './server.ts';

conformanceTest(lambdaServer);
