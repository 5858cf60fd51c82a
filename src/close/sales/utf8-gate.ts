import { Transform } from 'node:stream';
import { ExportError } from './export-error.ts';

/** Let valid UTF-8 text through and stop at the first byte that is not, instead of replacing it silently. */
export const utf8Gate = (name: string): Transform => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (bytes: Uint8Array | undefined, stream: boolean): string => {
    const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream });
    if (text.includes('\0')) throw new TypeError('a zero byte');
    return text;
  };
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      try {
        done(null, decode(piece, true));
      } catch (error) {
        done(notText(name, error));
      }
    },
    flush(done) {
      try {
        done(null, decode(undefined, false));
      } catch (error) {
        done(notText(name, error));
      }
    },
  });
};

const notText = (name: string, cause: unknown): ExportError =>
  new ExportError(
    'E_EXPORT_ENCODING',
    name,
    'it is not UTF-8 text',
    'Export it as CSV in UTF-8. Other encodings and spreadsheet files are not read yet.',
    cause,
  );
