import { preview } from '../server.ts';
import { conformanceTest } from '../suite.ts';
import { lambdaServer } from './server.ts';

conformanceTest(preview(lambdaServer));
