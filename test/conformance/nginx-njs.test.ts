import { nginxNjsServer } from './servers/nginx.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(nginxNjsServer);
