import { preview } from '../server.ts';
import { quickConformanceTest } from '../suite.ts';
import { nodeServer } from './server.ts';

quickConformanceTest(preview(nodeServer));
