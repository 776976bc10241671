/** Reads the configuration. Separate from `scan.ts`, since a build without changes needs no schema. */
import { type CheckedConfiguration, checkConfiguration } from '../../source/configuration-file.ts';
import { readConfigurationBytes } from './scan.ts';

/** Reads and checks the configuration of a content folder. */
export function readConfiguration(content: string): CheckedConfiguration {
  return checkConfiguration(readConfigurationBytes(content));
}
