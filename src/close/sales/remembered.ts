/** Maximum number of cached texts: the places, items and tax names of a file recur often. */
const TEXTS_MAX = 10_000;

/** Cache the results of a function for the first distinct texts it is called with. */
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

/** Copy a text. A substring keeps its whole source in memory, here a piece of a file. */
const withoutParent = (text: string): string => `${text} `.slice(0, -1);
