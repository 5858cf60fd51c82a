/** A line of an OpenSSH allowed_signers file: who may sign with which key, for what, and when. */
export type AllowedSigner = {
  readonly line: number;
  readonly principals: string;
  readonly namespaces: string | undefined;
  /** Both as `20261122093000`, in UTC. */
  readonly validAfter: string | undefined;
  readonly validBefore: string | undefined;
  readonly publicKey: Uint8Array;
};
export type AllowedSigners = readonly AllowedSigner[];

/** The problem with a line. */
export type AllowedProblem = { readonly line: number; readonly problem: string };

/** Parses an allowed_signers file, as described in ssh-keygen(1) under ALLOWED SIGNERS. */
export const readAllowedSigners = (text: string): AllowedSigners | AllowedProblem => {
  const signers: AllowedSigner[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const words = wordsOf(line);
    if (words.length === 0 || words[0]?.startsWith('#')) continue;
    const read = signerOf(index + 1, words);
    if (typeof read === 'string') return { line: index + 1, problem: read };
    signers.push(read);
  }
  return signers;
};

/** Splits a line at blanks; a part in double quotes is one word, without the quotes. */
const wordsOf = (line: string): string[] =>
  line
    .trim()
    .match(/(?:"[^"]*"|[^\s"])+/g)
    ?.map((word) => word) ?? [];

const unquoted = (word: string): string => word.replaceAll('"', '');

const KEY_TYPES = /^(ssh-|ecdsa-|sk-)/;
const TIME = /^(\d{8})(\d{4}(\d{2})?)?Z?$/;

const signerOf = (line: number, [principals = '', ...rest]: readonly string[]): AllowedSigner | string => {
  const hasOptions = !KEY_TYPES.test(rest[0] ?? '');
  const options = hasOptions ? optionsOf(rest[0] ?? '') : new Map<string, string>();
  const [type = '', key = ''] = hasOptions ? rest.slice(1) : rest;
  if (!KEY_TYPES.test(type) || !/^[A-Za-z0-9+/]+=*$/.test(key)) return 'it names no key';
  const unknown = [...options.keys()].find((name) => !OPTIONS.has(name));
  if (unknown !== undefined) return `its option ${unknown} is not supported`;
  const [after, before] = [options.get('valid-after'), options.get('valid-before')];
  for (const time of [after, before])
    if (time !== undefined && !TIME.test(time))
      return `${time} is not a time such as 20261122 or 202611220930Z`;
  return {
    line,
    principals: unquoted(principals),
    namespaces: options.get('namespaces'),
    validAfter: after && instantOf(after),
    validBefore: before && instantOf(before),
    publicKey: Buffer.from(key, 'base64'),
  };
};

const OPTIONS: ReadonlySet<string> = new Set(['namespaces', 'valid-after', 'valid-before']);

const optionsOf = (word: string): ReadonlyMap<string, string> =>
  new Map(
    (word.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map((option) => {
      const [name = '', ...value] = option.split('=');
      return [name.toLowerCase(), unquoted(value.join('='))];
    }),
  );

/** Completes a date to a time: midnight by default. All times are UTC, so that every machine gets the same result. */
const instantOf = (text: string): string => text.replace('Z', '').padEnd('yyyymmddhhmmss'.length, '0');

/** Returns why this key may not sign with this name at this time; `undefined` if it may. */
export const refusedBy = (
  signers: AllowedSigners,
  signed: {
    readonly publicKey: Buffer;
    readonly name: string;
    readonly namespace: string;
    /** `2026-11-22T09:30:00Z` */
    readonly at: string;
  },
): string | undefined => {
  const own = signers.filter(({ publicKey }) => signed.publicKey.equals(publicKey));
  if (own.length === 0) return 'its key is not among the allowed signers';
  const named = own.filter(({ principals }) => matchesList(principals, signed.name));
  if (named.length === 0) return `its key is not that of ${signed.name} among the allowed signers`;
  const meant = named.filter(
    ({ namespaces }) => namespaces === undefined || matchesList(namespaces, signed.namespace),
  );
  if (meant.length === 0) return `its key is not allowed to sign for ${signed.namespace}`;
  const at = signed.at.replace(/\D/g, '').slice(0, 'yyyymmddhhmmss'.length);
  const isTimely = ({ validAfter = '', validBefore = '9' }: AllowedSigner): boolean =>
    validAfter <= at && at <= validBefore;
  return meant.some(isTimely) ? undefined : `its key was not valid at ${signed.at}`;
};

/** Matches comma-separated patterns with `*` and `?`; a match of a pattern that begins with `!` rules the text out. */
const matchesList = (list: string, text: string): boolean => {
  const patterns = list.split(',').map((pattern) => pattern.trim());
  const fits = (pattern: string): boolean => matches(pattern, text);
  if (patterns.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1)))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && fits(pattern));
};

/**
 * Matches one pattern, in time of at most the product of both lengths: a star first matches as little as possible, and
 * more if the rest does not match.
 */
const matches = (pattern: string, text: string): boolean => {
  let [at, star, resume] = [0, -1, 0];
  for (let place = 0; place < text.length; ) {
    if (pattern[at] === '*') {
      star = at;
      resume = place;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[place])) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      resume += 1;
      at = star + 1;
      place = resume;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
};
