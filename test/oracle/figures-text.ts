type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** What says nothing about figures: digests, sizes, versions, places of files, the day and time of the run, and what other figures say already. */
const LEFT_OUT =
  /^(sha256|digest|\w*[dD]igest|bytes|files|folder|format|program|build|reader|service|configuration|workbook|outputs|logs|approvals|previousApprovals|at|who|logged|preliminary|leaves)$/;

/** What names a thing stands first; the figures of it follow by the alphabet, whatever order they are written in. */
const NAMES = ['period', 'label', 'result', 'state', 'code', 'channel', 'path', 'record', 'id'];

/** Figures in JSON as text to read: whatever is flat stands on one line, and digests and places are left out. */
export const figuresText = (json: string): string => `${linesOf(JSON.parse(json) as Json, '').join('\n')}\n`;

const linesOf = (value: Json, indent: string): readonly string[] => {
  if (isScalar(value)) return [`${indent}${String(value)}`];
  if (isList(value)) {
    if (value.every(isScalar)) return [`${indent}${value.join(', ')}`];
    return value.flatMap((item) => {
      const [first = '', ...others] = linesOf(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...others];
    });
  }
  const entries = Object.entries(value)
    .filter(([key]) => !LEFT_OUT.test(key))
    .sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  const flat = entries.filter(([, item]) => isScalar(item));
  const line = flat.map(([key, item]) => `${key} ${String(item)}`).join(', ');
  return [
    ...(flat.length > 0 ? [`${indent}${line}`] : []),
    ...entries
      .filter(([, item]) => !isScalar(item))
      .flatMap(([key, item]) => {
        const inner = linesOf(item, `${indent}  `);
        if (isList(item) && item.length === 0) return [`${indent}${key}: none`];
        return inner.length === 1 && !isList(item)
          ? [`${indent}${key}: ${inner[0]?.trimStart()}`]
          : [`${indent}${key}:`, ...inner];
      }),
  ];
};

const rankOf = (key: string): number => {
  const rank = NAMES.indexOf(key);
  return rank < 0 ? NAMES.length : rank;
};

const isScalar = (value: Json): value is string | number | boolean | null =>
  value === null || typeof value !== 'object';

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
