/** What the state stores about the files that a build wrote. */
import type { TargetRefusal } from '../../targets/target.ts';
import type { DetailPart } from '../../tree/format/root.ts';

/** Digest of all that determines a part or the downloads. If it is unchanged, the last build's files are kept. */
export type InputsDigest = { readonly inputs: string };

export type WrittenPart = InputsDigest & DetailPart & { readonly bytes: number };

export type WrittenBulkFiles = {
  readonly parts: readonly WrittenPart[];
  readonly downloads: (InputsDigest & { readonly files: readonly WrittenDownload[] }) | undefined;
};

type WrittenDownload = { readonly key: string; readonly bytes: number; readonly sha256: string };

/** Maps paths in the group's folder to digests. */
export type FileDigests = Readonly<Record<string, string>>;

/** Pages and details need no group, since the sequence tells which of them exist (`emit.ts`). */
export type FileDigestsByGroup = Readonly<Record<'files' | 'media' | 'edge', FileDigests>>;

export type RefusedTarget = TargetRefusal & { readonly name: string };

export type StoredEdge = {
  readonly targets: readonly string[];
  readonly refused: readonly RefusedTarget[];
  /** Folders that were copied because links are not permitted. Every build writes them again. @default none */
  readonly copies?: readonly string[];
};
