import { Argument } from '@commander-js/extra-typings';
import { actionWithExitCode, createCommand } from './command.ts';
import { terminal } from './terminal.ts';

export const keysCommand = () =>
  createCommand('keys', {
    does: 'make a key that signs releases, or show the public key of one',
    examples: ['keys new signing.key', 'keys show signing.key'],
    guide: ['releases', 'signed-releases'],
  })
    .addArgument(new Argument('<action>', 'what to do').choices(['new', 'show'] as const))
    .argument('<file>', 'file of the private key; only its owner may read it')
    .action(
      actionWithExitCode(async (action, file) => {
        const { createKeyFile, publicKeysOfKeyFile } = await import('../publish/signing-key-file.ts');
        const keys = action === 'new' ? createKeyFile(file) : publicKeysOfKeyFile(file);
        for (const key of keys) terminal().out(`${key}\n`);
        return 0;
      }),
    );
