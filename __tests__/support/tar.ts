import { gzipSync } from 'node:zlib';

/** One member of an archive made for a test, as hostile as it likes. */
export interface TarMember {
  readonly name: string;
  readonly body?: string | Buffer;
  /** The type flag of POSIX ustar: 0 file, 1 hard link, 2 symbolic link, 3 device, 5 directory, 6 FIFO, x extended. */
  readonly type?: string;
  readonly linkName?: string;
  /** The size that the header claims; that of the body without one. */
  readonly size?: number;
}

/** The archive with the two empty blocks at its end. */
export function tar(members: readonly TarMember[], end = true): Buffer {
  const blocks = members.flatMap((member) => [headerOf(member), padded(member.body ?? '')]);
  return Buffer.concat([...blocks, ...(end ? [Buffer.alloc(1024)] : [])]);
}

export function tarGz(members: readonly TarMember[]): Buffer {
  return gzipSync(tar(members));
}

function headerOf({ name, body = '', type = '0', linkName = '', size }: TarMember): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100, 'utf8');
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${(size ?? Buffer.byteLength(body)).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(linkName, 157, 100, 'utf8');
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function padded(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** An extended header of POSIX pax for the member that follows. */
export function pax(records: Readonly<Record<string, string>>): TarMember {
  const body = Object.entries(records)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      let length = rest.length + 1;
      while (`${length}${rest}`.length !== length) length += 1;
      return `${length}${rest}`;
    })
    .join('');
  return { name: 'PaxHeaders/next', type: 'x', body };
}
