import type { PackedLines } from './profile/shape.ts';

type Packing = Pick<PackedLines, 'itemSplit' | 'fieldSplit' | 'labels'>;

/** The items that are packed into a text, each as the values behind its labels. */
export const unpacked = (text: string, packed: Packing): readonly (readonly string[])[] =>
  itemsOf(text, packed).map((item) =>
    packed.fieldSplit === undefined
      ? labelled(item, packed.labels)
      : divided(item, packed.fieldSplit, packed.labels),
  );

/** An item starts where its first label does: the mark between items may stand in a name as well. */
const itemsOf = (text: string, { itemSplit, labels }: Packing): readonly string[] => {
  if (text.trim() === '') return [];
  if (itemSplit === undefined) return [text];
  const items: string[] = [];
  for (const piece of text.split(itemSplit)) {
    const last = items.length - 1;
    if (last < 0 || labelAt(piece.trimStart(), 0, labels) !== undefined) items.push(piece);
    else items[last] += `${itemSplit}${piece}`;
  }
  return items;
};

/** The value behind each label. Names hold commas, so a value ends only where the next known label begins. */
const labelled = (item: string, labels: readonly string[]): readonly string[] => {
  const found: { readonly label: string; readonly start: number; readonly valueStart: number }[] = [];
  for (let at = 0; at < item.length; at += 1) {
    const before = item[at - 1];
    if (at > 0 && before !== ' ' && before !== ',' && before !== '|' && before !== ';') continue;
    const label = labelAt(item, at, labels);
    if (label === undefined || found.some((one) => one.label === label)) continue;
    found.push({ label, start: at, valueStart: at + label.length + 1 });
    at += label.length;
  }
  return labels.map((label) => {
    const index = found.findIndex((one) => one.label === label);
    const own = found[index];
    if (!own) return '';
    const end = found[index + 1]?.start ?? item.length;
    return item
      .slice(own.valueStart, end)
      .replace(/[\s,|;]+$/, '')
      .trim();
  });
};

const labelAt = (text: string, at: number, labels: readonly string[]): string | undefined =>
  labels.find((label) => text.startsWith(`${label}:`, at));

/** A field, known or not, begins with a word and a colon; what begins otherwise belongs to the value before it. */
const FIELD = /^[\w-]+:/;

/** The values of an item whose fields have a mark between them. Plugins add fields of their own anywhere. */
const divided = (item: string, mark: string, labels: readonly string[]): readonly string[] => {
  const fields: string[] = [];
  for (const piece of item.split(mark)) {
    const last = fields.length - 1;
    if (last < 0 || FIELD.test(piece)) fields.push(piece);
    else fields[last] += `${mark}${piece}`;
  }
  return labels.map((label) => {
    const field = fields.find((one) => one.startsWith(`${label}:`));
    return field === undefined ? '' : field.slice(label.length + 1).trim();
  });
};
