import { hash } from 'node:crypto';
import { DefectError } from './errors.ts';

/** Plain JSON data. Keys whose value is `undefined` are left out. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/**
 * Write the one canonical text of a value: keys sorted by code unit, no blanks, `undefined` left out, numbers as
 * JavaScript prints them. Two values with the same canonical text are the same value.
 */
export const canonicalJson = (value: Json): string => {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new DefectError(`${value} has no place in canonical JSON`);
    return String(value);
  }
  let members = '';
  if (isList(value)) {
    for (const member of value) members += `${members === '' ? '' : ','}${canonicalJson(member)}`;
    return `[${members}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${quoted(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
};

/** Text that JSON writes unchanged: no quotes, backslashes, control characters or halves of surrogate pairs. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Most text is plain, and this check is faster than `JSON.stringify`. */
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** SHA-256 in lower-case hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');

/** Return the digest that identifies a record's content. */
export const digestOf = (value: Json): string => sha256(canonicalJson(value));

/** Parses JSON; `undefined` for any other text. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
