/** `reply()` answers every request of the fetch handler. */
import { quickConformanceTest } from '../suite.ts';
import { fetchServer } from './server.ts';

quickConformanceTest(fetchServer);
