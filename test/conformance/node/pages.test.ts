import { quickConformanceTest } from '../suite.ts';
import { nodeServer } from './server.ts';

quickConformanceTest(nodeServer);
