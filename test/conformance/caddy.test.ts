import { caddyServer } from './servers/caddy.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(caddyServer);
