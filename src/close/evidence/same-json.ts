/** Whether two values would be written as the same JSON, whatever the order of their keys. */
export const sameJson = (left: unknown, right: unknown): boolean => {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [one, other] = [left, right] as Readonly<Record<string, unknown>>[];
  const keys = Object.keys(one ?? {});
  if (keys.length !== Object.keys(other ?? {}).length) return false;
  return keys.every((key) => sameJson(one?.[key], other?.[key]));
};
