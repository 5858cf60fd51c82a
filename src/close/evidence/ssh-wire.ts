/** Strings and numbers as SSH writes them: a string is its length in four bytes, and its bytes (RFC 4251, section 5). */

export const wireString = (value: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

export const wireNumber = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Reads one thing after the other. @throws {RangeError} at the end */
export const wireReader = (bytes: Buffer) => {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('it ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = (): number => take(4).readUInt32BE();
  const string = (): Buffer => take(number());
  return { take, number, string, text: () => string().toString('utf8'), isAtEnd: () => at === bytes.length };
};

/** The bytes between the lines BEGIN and END of this kind; `undefined` when they are not there. */
export const unarmored = (text: string, kind: string): Buffer | undefined => {
  const form = new RegExp(`^-----BEGIN ${kind}-----\\s([A-Za-z0-9+/=\\s]*)-----END ${kind}-----\\s*$`);
  const inner = form.exec(text.replaceAll('\r', ''))?.[1];
  return inner === undefined ? undefined : Buffer.from(inner, 'base64');
};
