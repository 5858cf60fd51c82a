import { hash } from 'node:crypto';
import { DefectError } from './errors.ts';

/** Plain data, as JSON has it. Keys whose value is `undefined` are left out. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/**
 * One text for one value: keys sorted by code unit, no blanks, `undefined` left out, numbers as JavaScript prints
 * them. Two values with the same canonical text are the same value.
 */
export const canonicalJson = (value: Json): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new DefectError(`${value} has no place in canonical JSON`);
    return String(value);
  }
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
};

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** SHA-256 in lower-case hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');

/** The digest that identifies a record's content. */
export const digestOf = (value: Json): string => sha256(canonicalJson(value));
