import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DefectError } from '../../src/kernel/errors.ts';
import { canonicalJson, digestOf, type Json } from '../../src/kernel/json.ts';

const anyJson = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<Json>;

/** The same value with the keys of every object in the opposite order. */
const reordered = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((member) => reordered(member as Json));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as { [key: string]: Json });
  return Object.fromEntries(members.reverse().map(([key, member]) => [key, reordered(member)]));
};

describe('canonical JSON', () => {
  test.for([
    [{ a: undefined, b: null }, '{"b":null}', 'what is undefined is left out, what is null is not'],
    [{ B: 1, a: 2, á: 3 }, '{"B":1,"a":2,"á":3}', 'by code unit, in no language'],
    [{ a: { d: 1, c: [{ f: 1, e: 2 }] } }, '{"a":{"c":[{"e":2,"f":1}],"d":1}}', 'at every depth'],
    [-0, '0', 'zero has no sign'],
  ] as const)('of %j is %s: %s', ([value, text]) => {
    expect(canonicalJson(value as Json)).toBe(text);
  });

  test('has no place for what is no number', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => canonicalJson({ amounts: [value] })).toThrow(DefectError);
  });

  test('writes every code unit as JSON does', () => {
    const units = Array.from({ length: 0x1_00_00 }, (_, unit) => String.fromCharCode(unit));
    const differing = units.filter((unit) => canonicalJson(`a${unit}`) !== JSON.stringify(`a${unit}`));
    expect(differing).toEqual([]);
  });

  test('is JSON of the same value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a digest', () => {
  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(digestOf(reordered(value))).toBe(digestOf(value));
      }),
    );
  });
});
