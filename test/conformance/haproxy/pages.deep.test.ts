import { conformanceTest } from '../suite.ts';
import { haproxyServer } from './server.ts';

conformanceTest(haproxyServer);
