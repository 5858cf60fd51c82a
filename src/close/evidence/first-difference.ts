import { canonicalJson, type Json } from '../../kernel/digest.ts';

/** What identifies a member of a list, where it has it. */
const NAMES = ['state', 'level', 'name', 'code', 'day', 'channel', 'path', 'id', 'record', 'order'] as const;

/**
 * Where two values differ first, in words: `states CA: collected comes to 10.75, and the manifest says 1.00`.
 * `undefined` when they are the same.
 *
 * @param what the value, such as `states`
 * @param who says the second one
 */
export const firstDifference = (
  what: string,
  computed: unknown,
  stated: unknown,
  who: string,
): string | undefined => {
  const [left, right] = [plain(computed), plain(stated)];
  if (textOf(left) === textOf(right)) return undefined;
  if (Array.isArray(left) && Array.isArray(right)) {
    for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
      const [one, other] = [left[index] as Json | undefined, right[index] as Json | undefined];
      if (textOf(one) === textOf(other)) continue;
      const [name, otherName] = [nameOf(one), nameOf(other)];
      if (one === undefined || other === undefined || name !== otherName)
        return `${what}: number ${index + 1} is ${name || textOf(one)}, and ${who} says ${otherName || textOf(other)}`;
      return firstDifference(`${what} ${name}`.trim(), one, other, who);
    }
  }
  if (isObject(left) && isObject(right)) {
    const field = Object.keys({ ...left, ...right }).find((key) => textOf(left[key]) !== textOf(right[key]));
    if (field !== undefined) return firstDifference(joined(what, field), left[field], right[field], who);
  }
  return `${what} comes to ${textOf(left)}, and ${who} says ${textOf(right)}`;
};

const joined = (what: string, field: string): string => `${what}${what.includes(': ') ? '.' : ': '}${field}`;

/** As it comes back from a file. */
const plain = (value: unknown): Json | undefined =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);

const textOf = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' && value !== '' ? value : canonicalJson(value);
};

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json | undefined } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nameOf = (value: Json | undefined): string =>
  isObject(value)
    ? NAMES.flatMap((name) => (value[name] === undefined ? [] : String(value[name]))).join(' ')
    : '';
