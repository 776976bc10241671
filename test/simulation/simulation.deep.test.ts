import { keepPromises } from './keep-promises.ts';

keepPromises(0, 20_000);
