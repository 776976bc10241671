/** Makes zip archives by hand, with faults. */
import { deflateRawSync } from 'node:zlib';

export type ZipFault = {
  /** Bytes that the directory says a file has unpacked. */
  readonly size?: number;
  /** General purpose flags. */
  readonly flags?: number;
  readonly method?: number;
};

export function zipArchive(
  files: readonly (readonly [name: string, content: string | Buffer])[],
  fault: ZipFault = {},
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const packed = deflateRawSync(content);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(fault.flags ?? 0, 2);
    header.writeUInt16LE(fault.method ?? 8, 4);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(fault.size ?? Buffer.byteLength(content), 18);
    header.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), header, rest, Buffer.from(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  const length = directory.reduce((sum, one) => sum + one.length, 0);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
