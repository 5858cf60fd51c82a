export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be';

/** What the bytes of a file are: text in an encoding, or a workbook. */
export type FileForm =
  | {
      readonly kind: 'text';
      readonly encoding: Encoding;
      /** Whether a carriage return is anywhere; most exports have none, and are read faster for it. */
      readonly hasCarriageReturns: boolean;
      readonly endsWithLineEnd: boolean;
    }
  | { readonly kind: 'workbook' };

/** What is said about an encoding that is not the usual one. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
};
