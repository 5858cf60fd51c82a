/** Texts that are worth remembering: those of a file's places, items and kinds of tax come again and again. */
const TEXTS_MAX = 10_000;

/** A function of a text that keeps what it gave for the first texts it was called with. */
export const remembered = <Value>(make: (text: string) => Value): ((text: string) => Value) => {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || known.size >= TEXTS_MAX) return found ?? make(text);
    const own = withoutParent(text);
    const value = make(own);
    known.set(own, value);
    return value;
  };
};

/** A part of a text keeps the whole of it in memory, here a piece of a file. What is kept for long is a copy. */
const withoutParent = (text: string): string => `${text} `.slice(0, -1);
