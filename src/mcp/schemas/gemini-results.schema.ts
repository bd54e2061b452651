/** Output schemas of the Gemini fetch tools. */
import {
  boolean,
  cacheFields,
  count,
  errorKind,
  flag,
  incompleteFields,
  integer,
  listOfResults,
  nullable,
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

const definitions = {
  GeminiMimeType: object(
    { type: text, subtype: text, charset: { type: 'string', default: 'utf-8' }, lang: nullableText },
    ['type', 'subtype'],
  ),
  GemtextDocument: object(
    {
      lines: { type: 'array', items: ref('GemtextLine') },
      links: { type: 'array', items: ref('GemtextLink') },
      link_count: integer,
    },
    ['lines'],
  ),
  GemtextLine: object(
    {
      type: {
        type: 'string',
        enum: ['text', 'link', 'heading1', 'heading2', 'heading3', 'list', 'quote', 'preformat'],
      },
      content: text,
      text: nullableText,
      link: nullable(ref('GemtextLink')),
      level: nullableInteger,
      offset: integer,
      alt_text: nullableText,
      language: nullableText,
    },
    ['type', 'content'],
  ),
  GemtextLink: object({ url: text, text: nullableText, fetchable: boolean }, ['url']),
};

const pageFields = { ...incompleteFields, ...originFields, ...cacheFields };

const kinds: Kinds = {
  success: {
    definition: 'GeminiSuccessResult',
    schema: result(
      'success',
      { mime_type: ref('GeminiMimeType'), content: text, size: count, lossy: flag, ...windowFields, ...pageFields },
      ['mime_type', 'content', 'size'],
    ),
  },
  binary: {
    definition: 'GeminiBinaryResult',
    schema: result('binary', { mime_type: ref('GeminiMimeType'), size: count, note: text, ...pageFields }, [
      'mime_type',
      'size',
    ]),
  },
  gemtext: {
    definition: 'GeminiGemtextResult',
    schema: result(
      'gemtext',
      {
        document: ref('GemtextDocument'),
        charset: { type: 'string', default: 'utf-8' },
        lang: nullableText,
        size: integer,
        lossy: flag,
        partial_line: flag,
        ...windowFields,
        ...pageFields,
      },
      ['document', 'size'],
    ),
  },
  input: {
    definition: 'GeminiInputResult',
    schema: result('input', { prompt: text, sensitive: flag, ...originFields }, ['prompt']),
  },
  redirect: {
    definition: 'GeminiRedirectResult',
    schema: result(
      'redirect',
      {
        new_url: text,
        permanent: flag,
        cross_host: nullable({ type: 'boolean' }),
        scheme: nullableText,
        ...originFields,
      },
      ['new_url'],
    ),
  },
  error: errorKind,
  certificate: {
    definition: 'GeminiCertificateResult',
    schema: result(
      'certificate',
      {
        message: text,
        status: { type: 'integer', minimum: 60, maximum: 69, default: 60 },
        required: { ...boolean, default: true },
        next_step: { type: 'string', default: '' },
        ...originFields,
      },
      ['message'],
    ),
  },
};

/** Output schema of a single Gemini fetch. */
export const geminiResult = oneResult(kinds, definitions);

/** Output schema of a Gemini batch. */
export const geminiResultList = listOfResults(kinds, definitions);
