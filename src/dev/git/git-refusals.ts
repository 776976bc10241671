/** Explains Git's refusals in the words of the page. Recognises them by English texts: `git.ts` sets the language. */
import { escapeControls } from '../../text/printable.ts';
import { cutText } from '../../text/shorten.ts';
import { RefusedRequest } from '../api/refused-request.ts';
import { GitFailure } from './git.ts';

type GitAction = 'commit' | 'merge' | 'push' | 'fetch' | 'switch';

const NO_REPOSITORY =
  'Changes cannot be recorded: the folder of the catalogue has no history. A colleague can begin one with "git init".';
export const NO_AUTHOR_MESSAGE =
  'Your name is unknown on this computer, and each record carries it. Write in the terminal: git config user.name "Your Name", and: git config user.email you@example.com.';

const NO_GIT =
  'The program git, which records changes, is not on this computer. Ask the colleague who set up the catalogue.';
const FOREIGN_REPOSITORY =
  'The folder of the catalogue belongs to another user of this computer, so nothing can be recorded. Ask the colleague who set it up.';

type Refusal = {
  readonly said: RegExp;
  readonly commit?: string;
  readonly merge?: string;
  /** Why a fetch or a push failed: continues a sentence such as "The records are not sent: ". */
  readonly network?: string;
};

const PROTECTED = {
  said: /GH006|protected branch|not allowed to push code to protected/i,
  network: 'this branch takes no changes directly. Record under a name with "Keep apart", and send that.',
};
const OFFLINE =
  'the place where the catalogue is kept does not answer. Nothing is lost: try again when you are online.';

/** Explains a failure by the first row that has a text for the action and whose `said` matches Git's output. */
const REFUSALS: readonly Refusal[] = [
  { said: /tell me who you are|empty ident|auto-detect email/i, commit: NO_AUTHOR_MESSAGE },
  {
    said: /index\.lock/i,
    commit: 'Another program is recording changes just now. Wait a moment, then try again.',
    merge:
      'Another program is recording changes just now, or ended while it did. Wait a moment, then try again. Nothing was changed.',
  },
  { said: /dubious ownership/i, commit: FOREIGN_REPOSITORY },
  {
    said: /unknown option|usage: git merge-tree|--write-tree/i,
    merge:
      'The program git on this computer is too old for this: it has to be 2.38 or newer. Nothing was changed.',
  },
  {
    said: /gpg failed|signing failed|sign the data/i,
    commit:
      'Records of this catalogue are signed, and that failed. Ask a colleague to record these changes (git commit).',
    merge:
      'Records of this catalogue are signed, and that failed. Nothing was changed. Ask a colleague to get the changes with git.',
  },
  {
    said: /^fatal: a branch named .* already exists/im,
    commit: 'This name is taken already. Choose another one.',
  },
  {
    said: /refs\/heads\/\S+' exists; cannot create/i,
    commit: 'Another name is the same before or behind a slash. Choose another one.',
  },
  { said: /cannot lock ref/i, merge: 'Something was recorded just now. Nothing was changed: try again.' },
  {
    said: /non-fast-forward|fetch first|tip of your current branch is behind|cannot lock ref|stale info/i,
    network: 'your colleagues have sent newer changes. Get them first, then send again.',
  },
  {
    said: /could not read (?:Username|Password)|Authentication failed|Permission denied|terminal prompts disabled|HTTP Basic|error: 40[13]\b|access denied|not authorized/i,
    network:
      'the place where the catalogue is kept does not know you, or does not let you. Sign in with git on this computer once, or ask the colleague who set it up.',
  },
  {
    said: /Host key verification failed|authenticity of host/i,
    network:
      'this computer does not know the place yet. Ask the colleague who set it up to connect once with git in the terminal.',
  },
  {
    said: /Repository not found|does not appear to be a git repository|repository '.*' not found|No such file or directory/i,
    network:
      'the place where the catalogue is kept is not there any more, or you may not see it. Ask the colleague who set it up.',
  },
  {
    said: /Could not resolve|unable to access|Connection|timed? ?out|Network|Could not read from remote|hung up|No route|unreachable/i,
    network: OFFLINE,
  },
];

export function gitRefusal(message: string): RefusedRequest {
  return new RefusedRequest('git-failed', message);
}

/** Why Git cannot read the repository of the content folder. */
export function repositoryRefusal({ output, code }: GitFailure): RefusedRequest {
  if (code === 'ENOENT') return gitRefusal(NO_GIT);
  if (/dubious ownership/i.test(output)) return gitRefusal(FOREIGN_REPOSITORY);
  if (/not a git repository/i.test(output)) return gitRefusal(NO_REPOSITORY);
  return gitRefusal(`The history of the catalogue cannot be read. Git says: ${outputInOneLine(output)}`);
}

export function toGitRefusal(error: unknown, action: GitAction, branch?: string): unknown {
  if (!(error instanceof GitFailure)) return error;
  return gitRefusal(explainGitFailure(error, action, branch));
}

/** @param branch the branch that could not be opened; used only for the action `switch` */
export function explainGitFailure(failure: GitFailure, action: GitAction, branch = ''): string {
  if (action === 'push') return `The records are not sent: ${onNetwork(failure, action)}`;
  if (action === 'fetch')
    return `Newer changes of colleagues cannot be looked for: ${onNetwork(failure, action)}`;
  if (action === 'switch')
    return /would be overwritten|overwritten by checkout/i.test(failure.output)
      ? `What is saved and not recorded differs in ${branch}. Record it or take it back first.`
      : `${branch} cannot be opened just now. Ask a colleague who knows git: in the terminal, "git switch ${branch}" says why.`;
  const known = knownMeaning(failure, action);
  if (known !== undefined) return known;
  if (action === 'merge')
    return `The changes cannot be got, and nothing was changed. Git says: ${outputInOneLine(failure.output)}`;
  if (!isRefusedByHook(failure))
    return `The changes cannot be recorded. Git says: ${outputInOneLine(failure.output)}`;
  const said = cutText(failure.output, 2000).split('\n').map(escapeControls).join('\n');
  return `The checks of this catalogue refuse the record, and say:\n${said}`;
}

const NOTHING_LEFT = /^(?:nothing (?:added )?to commit|no changes added)/m;

/**
 * Whether a hook refused a commit: then Git exits with 1. Git also exits with 1 if nothing is left to commit, but says
 * so; after any other failure, it exits with 128.
 */
export function isRefusedByHook({ output, code }: GitFailure): boolean {
  return code === 1 && !NOTHING_LEFT.test(output);
}

function knownMeaning(failure: GitFailure, action: 'commit' | 'merge'): string | undefined {
  const { output, code } = failure;
  if (code === 'ENOENT') return NO_GIT;
  if (action === 'commit' && isRefusedByHook(failure)) return undefined;
  if (action === 'commit' && code === 1) return 'Nothing is left to record.';
  return REFUSALS.find((row) => row[action] !== undefined && row.said.test(output))?.[action];
}

/** Matches a line of Git, SSH or the server, but not of a hook on this computer. */
const OF_NETWORK =
  /^(?:fatal: |error: (?!failed to push)|ssh: |ERROR: |remote: |! |[\w.-]+@|Host key verification)/;

function onNetwork({ output, code }: GitFailure, action: 'push' | 'fetch'): string {
  if (code === 'ETIMEDOUT') return OFFLINE;
  if (code === 'ENOENT') return NO_GIT;
  const lines = output.split('\n').map((line) => line.trim());
  const ofNetwork = lines.filter((line) => OF_NETWORK.test(line)).join('\n');
  if (PROTECTED.said.test(ofNetwork)) return PROTECTED.network;
  const isDeclined = /hook declined|remote rejected/i.test(ofNetwork);
  const known = REFUSALS.find((row) => row.network !== undefined && row.said.test(ofNetwork))?.network;
  if (known !== undefined && !isDeclined) return known;
  const remote = lines.flatMap((line) => /^remote: ?(.*)$/.exec(line)?.[1]?.trim() || []);
  const own = lines.filter(
    (line) => line !== '' && !/^(?:To |! |error: failed to push|hint:|remote:)/.test(line),
  );
  const said = outputInOneLine((remote.length > 0 ? remote : own).join(' '));
  if (isDeclined) return `the place where the catalogue is kept refuses them, and says: ${said}`;
  // Git exits with 1 after a hook on this computer, and with 128 after a failure of its own.
  return code === 1 && action === 'push'
    ? `the checks of this catalogue refuse, and say: ${said}`
    : `git says: ${said}`;
}

/** Git's words in one line of at most 1000 characters. */
export function outputInOneLine(output: string): string {
  return escapeControls(cutText(output.replaceAll('\n', ' '), 1000));
}
