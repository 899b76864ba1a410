import { problem } from './problem.js';

/**
 * Decodes UTF-8 as it arrives, with nothing replaced and a byte order mark kept.
 * @throws ConfigError for anything that is not UTF-8.
 */
export async function* utf8Text(
  chunks: AsyncIterable<Buffer>,
  { label, where }: { readonly label: string; readonly where: string },
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw problem(where, `${label} is not UTF-8 text.`, 'Save it as UTF-8.');
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}
