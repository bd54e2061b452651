/** The resources of the suite. */
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { RED_PIXEL_PNG } from './media.js';

const STATIC_TEXT = 'test://static-text';
const STATIC_BINARY = 'test://static-binary';
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

/** Listed beside those of the product. */
export const FIXTURE_RESOURCES: Resource[] = [
  { uri: STATIC_TEXT, name: 'static_text', description: 'A text.', mimeType: 'text/plain' },
  { uri: STATIC_BINARY, name: 'static_binary', description: 'An image.', mimeType: 'image/png' },
];

/** Listed beside those of the product. */
export const FIXTURE_TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template_data',
    description: 'Data of one id.',
    mimeType: 'application/json',
  },
];

/** The contents of a resource of the suite; undefined when `uri` is none. */
export function readFixture(uri: string): ReadResourceResult | undefined {
  if (uri === STATIC_TEXT) {
    const text = 'This is the content of the static text resource.';
    return { contents: [{ uri, mimeType: 'text/plain', text }] };
  }
  if (uri === STATIC_BINARY) return { contents: [{ uri, mimeType: 'image/png', blob: RED_PIXEL_PNG }] };
  const id = TEMPLATE.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}
