/**
 * What an HTTP request must be before its body is looked at, and what a stateless request's headers must say. Each check
 * names the JSON-RPC error and HTTP status that the protocol gives for it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../common/json.js';
import { admitsHost, admitsOrigin, type HostPolicy } from './host-policy.js';
import { EVENT_STREAM } from './reply.js';

/** A refusal over HTTP. */
export interface HttpRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json';

/** Header and body of a stateless request do not agree. */
export const HEADER_MISMATCH = -32020;

/** The first thing wrong with the envelope of a request, Host and Origin apart. */
export type EnvelopeCheck = (method: string, headers: IncomingHttpHeaders) => HttpRefusal | undefined;

/** Streamable HTTP: method, Accept, Content-Type. */
export const checkMcp: EnvelopeCheck = (method, headers) => {
  if (method !== 'POST') return method === 'DELETE' ? undefined : methodNotAllowed('POST, DELETE');
  const { accept } = headers;
  if (!accepts(accept, JSON_TYPE) || !accepts(accept, EVENT_STREAM)) {
    return refusal(406, `Not acceptable: the client must accept ${JSON_TYPE} and ${EVENT_STREAM}.`);
  }
  return checkContentType(headers);
};

/** The event stream of HTTP+SSE: method. Clients of that time send no Accept that could be relied on. */
export const checkSse: EnvelopeCheck = (method) => (method === 'GET' ? undefined : methodNotAllowed('GET'));

/** The messages of HTTP+SSE: method, Content-Type. */
export const checkMessages: EnvelopeCheck = (method, headers) =>
  method === 'POST' ? checkContentType(headers) : methodNotAllowed('POST');

/** Host 421, Origin 403. */
export function checkHost({ host, origin }: IncomingHttpHeaders, policy: HostPolicy): HttpRefusal | undefined {
  if (!admitsHost(policy, host)) return refusal(421, 'Misdirected request: the Host header is not served here.');
  if (!admitsOrigin(policy, origin)) return refusal(403, 'Forbidden: the Origin is not allowed.');
  return undefined;
}

/** 405 with the methods that are served. */
function methodNotAllowed(allow: string): HttpRefusal {
  return { ...refusal(405, 'Method not allowed.'), headers: { allow } };
}

/**
 * The headers of a stateless request repeat what its body says, so that proxies can route without parsing it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function checkMirroredHeaders(
  headers: IncomingHttpHeaders,
  { method, params }: { readonly method: string; readonly params?: object | undefined },
): HttpRefusal | undefined {
  if (headers['mcp-method'] !== method) return mismatch('Mcp-Method');
  const named = nameIn(method, params);
  if (named !== undefined && decodedName(headers['mcp-name']) !== named) return mismatch('Mcp-Name');
  return undefined;
}

function nameIn(method: string, params: object | undefined): string | undefined {
  const member =
    method === 'resources/read' ? 'uri' : method === 'tools/call' || method === 'prompts/get' ? 'name' : undefined;
  if (member === undefined || params === undefined) return undefined;
  const value: unknown = Object.entries(params).find(([key]) => key === member)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** A name that a header cannot carry comes as `=?base64?…?=`. */
function decodedName(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString();
}

function mismatch(header: string): HttpRefusal {
  return { status: 400, code: HEADER_MISMATCH, message: `The header ${header} does not agree with the body.` };
}

function refusal(status: number, message: string): HttpRefusal {
  return { status, code: ProtocolErrorCode.InvalidRequest, message };
}

function checkContentType({ 'content-type': contentType }: IncomingHttpHeaders): HttpRefusal | undefined {
  if (mediaType(contentType) === JSON_TYPE) return undefined;
  return refusal(415, `Unsupported media type: the content type must be ${JSON_TYPE}.`);
}

function accepts(header: string | undefined, type: string): boolean {
  if (header === undefined) return false;
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  return header.split(',').some((range) => {
    const wanted = mediaType(range);
    return wanted === type || wanted === family || wanted === '*/*';
  });
}

function mediaType(header: string | undefined): string | undefined {
  return header?.split(';', 1)[0]?.trim().toLowerCase();
}
