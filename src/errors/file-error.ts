import { ownValue } from '../values/own-value.ts';

export function fileErrorReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return ownValue(FILE_ERRORS, code)?.reason ?? (code || message);
}

type FileError = {
  readonly reason: string;
  readonly advice: string;
};

export const FILE_ERRORS: Readonly<Record<string, FileError>> = {
  ENOENT: {
    reason: 'it does not exist',
    advice: 'This is not there, or was removed meanwhile. Check the path.',
  },
  EACCES: { reason: 'permission denied', advice: 'Permission denied. Check who owns the folder.' },
  EPERM: {
    reason: 'permission denied',
    advice: 'The system does not permit this. Check who owns the folder.',
  },
  EISDIR: { reason: 'it is a folder', advice: 'A folder stands where a file is needed.' },
  EFTYPE: { reason: 'it is not a regular file', advice: 'A regular file is needed here.' },
  ELOOP: {
    reason: 'its links go round in a circle',
    advice: 'The symbolic links go round in a circle. Correct them.',
  },
  EFBIG: { reason: 'it is too large', advice: 'The file is too large to be what is needed here.' },
  ENOTDIR: {
    reason: 'a part of its path is not a folder',
    advice: 'A file stands where a folder is needed.',
  },
  EEXIST: { reason: 'it exists already', advice: 'A file stands where a folder is needed.' },
  ENAMETOOLONG: { reason: 'its name is too long', advice: 'The name is too long. Choose a shorter one.' },
  EIO: {
    reason: 'the disk failed to read it',
    advice: 'The disk failed. Check it, and run the command again.',
  },
  EBUSY: {
    reason: 'another program uses it',
    advice: 'Another program uses this. Close that, and run the command again.',
  },
  EMFILE: {
    reason: 'too many files are open',
    advice: 'Too many files are open. Raise the limit with "ulimit -n".',
  },
  ENOSPC: {
    reason: 'the disk is full',
    advice: 'The disk is full. Make room, and run the command again: it goes on from what is there.',
  },
  EDQUOT: {
    reason: 'the disk quota is used up',
    advice: 'The disk quota is used up. Make room, and run the command again.',
  },
  EROFS: {
    reason: 'the disk is read-only',
    advice: 'The disk is read-only. Choose another folder.',
  },
};
