import { type Element, elementOf, elementsOf, textOf } from './markup.ts';
import type { NumberKind } from './number-kinds.ts';

const DAY_MS = 86_400_000;
/** Day 0 of a workbook. */
const EPOCH = Date.UTC(1899, 11, 30);

/** What a cell holds, as text: numbers and days bare, and texts in quotes only where they could be taken for such. */
export const cellText = (
  cell: Element,
  sharedStrings: readonly string[],
  kind: NumberKind,
): string | undefined => {
  const type = cell.attributes['t'] ?? 'n';
  if (type === 'inlineStr') return quotedIfUnclear(richText(elementOf(cell, 'is')));
  const value = elementOf(cell, 'v');
  if (!value) return undefined;
  const text = textOf(value);
  switch (type) {
    case 's':
      return quotedIfUnclear(sharedStrings[Number(text)] ?? '');
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE';
    case 'e':
      return `error ${text}`;
    case 'n':
      return numberText(Number(text), kind);
    default:
      return quotedIfUnclear(unescaped(text));
  }
};

/** A text that may be made of parts in different fonts. */
export const richText = (item: Element | undefined): string =>
  item ? unescaped(elementsOf(item, 't').map(textOf).join('')) : '';

const numberText = (value: number, kind: NumberKind): string => {
  if (kind === 'date' || kind === 'time') {
    const at = new Date(EPOCH + Math.round(value * DAY_MS)).toISOString();
    return at.endsWith('T00:00:00.000Z') ? at.slice(0, 10) : at.slice(0, 19).replace('T', ' ');
  }
  const cents = value.toFixed(2);
  return kind === 'money' && Number(cents) === value ? cents : String(value);
};

const quotedIfUnclear = (text: string): string =>
  /^[-+\d.:, ]+$|^(TRUE|FALSE)$|^error |^"|^\s|\s$/.test(text) ? JSON.stringify(text) : text;

/** Signs that XML cannot hold are written as `_x0009_`. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
