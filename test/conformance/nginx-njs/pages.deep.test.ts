import { conformanceTest } from '../suite.ts';
import { nginxNjsServer } from './server.ts';

conformanceTest(nginxNjsServer);
