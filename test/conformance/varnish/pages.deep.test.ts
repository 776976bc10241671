import { conformanceTest } from '../suite.ts';
import { varnishServer } from './server.ts';

conformanceTest(varnishServer);
