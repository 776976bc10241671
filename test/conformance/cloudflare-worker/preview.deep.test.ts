import { preview } from '../server.ts';
import { conformanceTest } from '../suite.ts';
import { workerServer } from './server.ts';

conformanceTest(preview(workerServer));
