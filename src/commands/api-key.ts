/** The key of a catalogue that asks for one: from the environment, since a command line is for all to see. */

/** The value of `CATALOGUE_API_KEY`; undefined when it has none. */
export function apiKeyOf(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.CATALOGUE_API_KEY || undefined;
}
