/** What the tests ask of an official client, whatever language and version it is of. */
import { isArray, isObject, type JsonObject } from '../../support/json.js';

/** How a client reaches the server: by starting it, or at an address. */
export type ServerReach =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
  | { readonly url: string };

/** The result of a call, as the client understood it. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly structuredContent: JsonObject;
  readonly texts: readonly string[];
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** [finished, total] of each notification; absent: none is asked for. */
  readonly onProgress?: (finished: number, total: number | undefined) => void;
}

/** A connected client, whose person says yes to everything. */
export interface OfficialClient {
  /** The negotiated revision. */
  readonly revision: string;
  readonly instructions: string;
  /** Names, in the order of the answer. The clients check structured content only of tools that they have listed. */
  listTools(): Promise<readonly string[]>;
  call(name: string, args: JsonObject, options?: CallOptions): Promise<ToolAnswer>;
  listResources(): Promise<readonly string[]>;
  listTemplates(): Promise<readonly string[]>;
  read(uri: string): Promise<readonly { readonly mimeType: string; readonly text: string }[]>;
  listPrompts(): Promise<readonly string[]>;
  /** The text of its messages. */
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<string>;
  /** How often the person was asked. */
  asked(): Promise<number>;
  close(): Promise<void>;
}

/** What the clients say of themselves. */
export const CLIENT_INFO = { name: 'gopher-mcp-tests', version: '1' };

/** Connects a client of one kind. */
export type Connect = (server: ServerReach) => Promise<OfficialClient>;

/** The parts of a tool result that are compared, from any client's idea of it. */
export function toolAnswer(result: object): ToolAnswer {
  const answer: unknown = result;
  const { isError, structuredContent, content } = isObject(answer) ? answer : {};
  if (!isObject(structuredContent)) throw new Error(`no structured content in ${JSON.stringify(result)}`);
  return { isError: isError === true, structuredContent, texts: textsOf(content) };
}

/** The texts of content blocks or of messages, in order. */
export function textsOf(content: unknown): readonly string[] {
  if (isArray(content)) return content.flatMap(textsOf);
  if (!isObject(content)) return [];
  return typeof content['text'] === 'string' ? [content['text']] : textsOf(content['content']);
}
