import { nginxServer } from './servers/nginx.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(nginxServer);
