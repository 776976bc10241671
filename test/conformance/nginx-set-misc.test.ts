import { nginxServer } from './servers/nginx-set-misc.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(nginxServer);
