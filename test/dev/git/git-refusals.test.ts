/** What failures of Git are called. Each output is Git's or SSH's own, or that of a hook. */
import { expect, it } from 'vitest';
import { GitFailure } from '../../../src/dev/git/git.ts';
import { explainGitFailure, repositoryRefusal } from '../../../src/dev/git/git-refusals.ts';

it.each<readonly [string, string | number | null, RegExp]>([
  ['fatal: not a git repository (or any of the parent directories): .git', 128, /"git init"/],
  ['spawn git ENOENT', 'ENOENT', /^The program git, .* is not on this computer/],
  ["fatal: detected dubious ownership in repository at '/x'", 128, /belongs to another user/],
  ['error: bad index file sha1 signature', 128, /cannot be read\. Git says: error: bad index file sha1/],
])('a repository that cannot be read: %s', (output, code, said) => {
  expect(repositoryRefusal(new GitFailure(output, code)).message).toMatch(said);
});

it.each<readonly [string, string | number | null, RegExp]>([
  ['id already exists in x.yaml', 1, /^The checks of this catalogue refuse the record, and say:\nid already/],
  ['Do not write index.lock into a text', 1, /^The checks of this catalogue refuse/],
  ["fatal: a branch named 'spring' already exists", 128, /^This name is taken already/],
  ['nothing to commit, working tree clean', 1, /^Nothing is left/],
  [
    'error: unable to write file: No space left on device',
    128,
    /^The changes cannot be recorded\. Git says: error: unable/,
  ],
  [
    'Git took too long, and was stopped.',
    'ETIMEDOUT',
    /^The changes cannot be recorded\. Git says: Git took/,
  ],
  ['spawn git ENOENT', 'ENOENT', /is not on this computer/],
])('a record that fails: %s', (output, code, said) => {
  expect(explainGitFailure(new GitFailure(output, code), 'commit')).toMatch(said);
});

const FAILED_PUSH = "error: failed to push some refs to 'https://host/Network/stays.git'";

it.each<readonly ['push' | 'fetch', string, string | number | null, RegExp]>([
  ['push', `Network checks: Permission denied to id 3\n${FAILED_PUSH}`, 1, /checks of this catalogue refuse/],
  ['push', `Connection of rooms is wrong\n${FAILED_PUSH}`, 1, /refuse, and say: Connection of rooms/],
  ['push', ' ! [rejected]  main -> main (fetch first)\n', 1, /colleagues have sent newer changes/],
  [
    'fetch',
    'git@github.com: Permission denied (publickey).\nfatal: Could not read',
    128,
    /does not know you/,
  ],
  ['fetch', 'Host key verification failed.\nfatal: Could not read', 128, /does not know the place yet/],
  ['fetch', 'ssh: connect to host x port 22: Connection refused', 128, /does not answer/],
  ['fetch', 'remote: Repository not found.\nfatal: x', 128, /is not there any more/],
  ['fetch', 'fatal: bad config line 3', 128, /looked for: git says: fatal: bad config line 3$/],
  ['fetch', 'error: something new', 1, /git says: error: something new$/],
])('%s that fails: %s', (action, output, code, said) => {
  expect(explainGitFailure(new GitFailure(output, code), action)).toMatch(said);
});
