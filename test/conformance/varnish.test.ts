import { varnishServer } from './servers/varnish.ts';
import { conformanceTest } from './suite.ts';

conformanceTest(varnishServer);
