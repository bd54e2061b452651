/**
 * Tells a TLS stream that was closed by its peer from one that merely ran out of bytes.
 *
 * A peer that has said everything sends the close_notify alert (RFC 8446 section 6.1). Node reports the end of a stream in
 * the same way with and without it. The difference shows in the TCP handle at that very moment: close_notify is found while
 * libuv is delivering data, so it is still reading; the end of the connection makes libuv stop reading first. Starting to
 * read again tells which: it fails with EALREADY (not zero) in the former case and succeeds (zero) in the latter.
 *
 * The handle is not part of Node's public interface. Where it is not there, or is not what it was, every end counts as
 * said by the peer, which is what a client without this test would assume. A Duplex around the socket could tell as well,
 * through the public interface alone, but takes the data off the native path and half as much CPU again for each fetch.
 */
import type { Socket } from 'node:net';

/**
 * Whether the connection under a TLS stream has ended. To be asked synchronously in the stream's `end` event, of a stream
 * that was flowing all the time; the connection must not be used further.
 */
export function hasTransportEnded(socket: Socket): boolean {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return false;
  const readStart: unknown = Reflect.get(handle, 'readStart');
  if (typeof readStart !== 'function') return false;
  const status: unknown = Reflect.apply(readStart, handle, []);
  return status === 0;
}
