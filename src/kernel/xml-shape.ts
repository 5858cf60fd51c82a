/** The properties of XML that cost memory when it is read: nesting depth, elements, attributes of one element. */
export type XmlShape = { depthMax: number; elements: number; attributesMax: number };

const [LESS, GREATER, SLASH, BANG, QUESTION, DASH, BRACKET, CLOSING, QUOTE, APOSTROPHE, EQUALS] =
  Buffer.from('<>/!?-[]"\'=');

type State = 'text' | 'begun' | 'tag' | 'end tag' | 'instruction' | 'declaration' | 'comment' | 'cdata';

/**
 * Measure XML piece by piece without parsing it. Errors in it are left to the parser that reads it afterwards.
 * Comments and CDATA are not counted.
 */
export const xmlMeter = (): { readonly add: (piece: Buffer) => void; readonly shape: Readonly<XmlShape> } => {
  const shape: XmlShape = { depthMax: 0, elements: 0, attributesMax: 0 };
  let state: State = 'text';
  let depth = 0;
  let attributes = 0;
  let quote: number | undefined;
  let [before, last] = [0, 0];

  const inTag = (byte: number): void => {
    if (quote !== undefined) {
      if (byte === quote) quote = undefined;
    } else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
    else if (byte === EQUALS) {
      attributes += 1;
      if (attributes > shape.attributesMax) shape.attributesMax = attributes;
    } else if (byte === GREATER) {
      if (last === SLASH) depth -= 1;
      state = 'text';
    }
  };

  const begin = (byte: number): void => {
    if (byte === SLASH) state = 'end tag';
    else if (byte === QUESTION) state = 'instruction';
    else if (byte === BANG) state = 'declaration';
    else {
      shape.elements += 1;
      depth += 1;
      if (depth > shape.depthMax) shape.depthMax = depth;
      attributes = 0;
      state = 'tag';
    }
  };

  /** The first characters of a declaration tell its kind. */
  const inDeclaration = (byte: number): void => {
    if (last === BANG && byte === DASH) state = 'comment';
    else if (last === BANG && byte === BRACKET) state = 'cdata';
    else if (byte === GREATER) state = 'text';
  };

  const take = (byte: number): void => {
    if (state === 'text') {
      if (byte === LESS) state = 'begun';
    } else if (state === 'tag') inTag(byte);
    else if (state === 'begun') begin(byte);
    else if (state === 'declaration') inDeclaration(byte);
    else if (byte === GREATER && isEnd(state, before, last)) {
      if (state === 'end tag') depth -= 1;
      state = 'text';
    }
    before = last;
    last = byte;
  };

  return {
    add: (piece) => {
      for (let index = 0; index < piece.length; index += 1) take(piece[index] ?? 0);
    },
    shape,
  };
};

/** Whether `>` ends this state, given the two bytes before it. */
const isEnd = (state: State, before: number, last: number): boolean => {
  if (state === 'comment') return before === DASH && last === DASH;
  if (state === 'cdata') return before === CLOSING && last === CLOSING;
  return state === 'end tag' || last === QUESTION;
};
