/** Output schemas of the Gopher tools. */
import {
  cacheFields,
  count,
  errorKind,
  flag,
  incompleteFields,
  listOfResults,
  nullableInteger,
  nullableText,
  object,
  oneResult,
  originFields,
  ref,
  result,
  text,
  windowFields,
  type Kinds,
} from './schema-builders.js';

const menuItem = object(
  {
    type: text,
    title: text,
    selector: text,
    host: text,
    port: { type: 'integer', minimum: 0, maximum: 65535 },
    next_url: text,
  },
  ['type', 'title', 'selector', 'host', 'port', 'next_url'],
);

const kinds: Kinds = {
  menu: {
    definition: 'MenuResult',
    schema: result(
      'menu',
      {
        items: { type: 'array', items: ref('GopherMenuItem') },
        truncated: flag,
        total_items: nullableInteger,
        next_offset: nullableInteger,
        ...incompleteFields,
        ...originFields,
        ...cacheFields,
      },
      ['items'],
    ),
  },
  text: {
    definition: 'TextResult',
    schema: result(
      'text',
      {
        charset: { type: 'string', default: 'utf-8' },
        bytes: count,
        text,
        lossy: flag,
        ...windowFields,
        ...incompleteFields,
        ...originFields,
        ...cacheFields,
      },
      ['bytes', 'text'],
    ),
  },
  binary: {
    definition: 'BinaryResult',
    schema: result(
      'binary',
      { bytes: count, mime_type: nullableText, note: text, ...incompleteFields, ...originFields, ...cacheFields },
      ['bytes'],
    ),
  },
  error: errorKind,
};

/** Output schema of a single Gopher fetch. */
export const gopherResult = oneResult(kinds, { GopherMenuItem: menuItem });

/** Output schema of a Gopher batch. */
export const gopherResultList = listOfResults(kinds, { GopherMenuItem: menuItem });
