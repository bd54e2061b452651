/** Replies as what a script is known to give. A reply of another form is undefined: somebody else wrote under our keys. */

/** A reply: texts and blobs are buffers, whatever they hold. */
export type RedisReply = null | number | Buffer | readonly RedisReply[];

/** A blob. */
export function bytesOf(reply: RedisReply | undefined): Buffer | undefined {
  return Buffer.isBuffer(reply) ? reply : undefined;
}

/** A text. */
export function textOf(reply: RedisReply | undefined): string | undefined {
  return bytesOf(reply)?.toString();
}

/** An integer, or a text that is a number. */
export function numberOf(reply: RedisReply | undefined): number | undefined {
  if (typeof reply === 'number') return reply;
  const text = textOf(reply);
  return text === undefined || text === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}

/** A list. */
export function listOf(reply: RedisReply | undefined): readonly RedisReply[] | undefined {
  return isList(reply) ? reply : undefined;
}

function isList(reply: RedisReply | undefined): reply is readonly RedisReply[] {
  return Array.isArray(reply);
}
