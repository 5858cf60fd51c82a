import { hash } from 'node:crypto';
import { DefectError } from './errors.ts';
import { newShape, withName, withNewName } from './shapes.ts';

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
  for (const { key, label } of inOrder(value)) {
    const member = value[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${label}${canonicalJson(member)}`;
  }
  return `{${members}}`;
};

/** A key, and its text in front of its value. */
type Label = { readonly key: string; readonly label: string };

const shapes = newShape<readonly Label[]>();
const SHAPES_MAX = 4096;
let shapesKnown = 0;

/** Sort keys once for all records that share them, because sorting takes as long as writing a record. */
const inOrder = (value: object): readonly Label[] => {
  let shape = shapes;
  for (const key in value) {
    let next = withName(shape, key);
    if (next === undefined) {
      if (shapesKnown === SHAPES_MAX) return sorted(value);
      shapesKnown += 1;
      next = withNewName(shape, key);
    }
    shape = next;
  }
  shape.known ??= sorted(value);
  return shape.known;
};

const sorted = (value: object): readonly Label[] =>
  Object.keys(value)
    .sort()
    .map((key) => ({ key, label: `${quoted(key)}:` }));

/** Text that JSON writes unchanged: no quotes, backslashes, control characters or halves of surrogate pairs. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Most text is plain, and this check is faster than `JSON.stringify`. */
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** SHA-256 in lower-case hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');

/** Half of the SHA-256, which is enough to distinguish the versions of one record. */
export const versionDigest = (content: string): string => sha256(content).slice(0, 32);

/** Return the digest that identifies a record's content. */
export const digestOf = (value: Json): string => sha256(canonicalJson(value));
