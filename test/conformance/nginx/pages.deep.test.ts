import { conformanceTest } from '../suite.ts';
import { nginxServer } from './server.ts';

conformanceTest(nginxServer);
