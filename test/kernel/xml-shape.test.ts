import { expect, test } from 'vitest';
import { xmlMeter } from '../../src/kernel/xml-shape.ts';

const shapeOf = (xml: string, pieceLength = xml.length) => {
  const { add, shape } = xmlMeter();
  for (let at = 0; at < xml.length; at += pieceLength) add(Buffer.from(xml.slice(at, at + pieceLength)));
  return { ...shape };
};

test.for([
  ['<a><b/><b x="1" y="2"/></a>', { depthMax: 2, elements: 3, attributesMax: 2 }, 'what stands in it'],
  ['<?xml version="1.0"?><!DOCTYPE a><a/>', { depthMax: 1, elements: 1, attributesMax: 0 }, 'no prologue'],
  ['<a><!-- <b><b><b> --></a>', { depthMax: 1, elements: 1, attributesMax: 0 }, 'no comment'],
  ['<a><![CDATA[<br><br> ]] > ]]></a><a/>', { depthMax: 1, elements: 2, attributesMax: 0 }, 'no CDATA'],
  ['<a x="/>" y=\'>\'><b/></a>', { depthMax: 2, elements: 2, attributesMax: 2 }, 'no tag in an attribute'],
  ['<a>'.repeat(500), { depthMax: 500, elements: 500, attributesMax: 0 }, 'what never ends'],
  ['a > b = c "', { depthMax: 0, elements: 0, attributesMax: 0 }, 'no text'],
] as const)('%s is measured, wherever a piece of it ends: %j, %s', ([xml, shape]) => {
  for (const length of [xml.length, 1, 2, 3]) expect(shapeOf(xml, length)).toEqual(shape);
});
