import { quickConformanceTest } from '../suite.ts';
import { nginxServer } from './server.ts';

quickConformanceTest(nginxServer);
