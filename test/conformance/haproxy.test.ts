import { haproxyServer } from './servers/haproxy.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(haproxyServer);
