import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { watchUnused } from '../../src/bin/unused-connections.js';

let server: Server;
let port: number;
let closeUnused: () => void;
/** Responses that wait for the test to end them. */
let waiting: ServerResponse[];

beforeEach(async () => {
  waiting = [];
  server = createServer((_request, response) => void waiting.push(response));
  closeUnused = watchUnused(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function openConnection(): Promise<Socket> {
  const accepted = once(server, 'connection');
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await accepted;
  return socket;
}

describe('a server that stops', () => {
  test('ends a connection that never carried a request', async () => {
    const socket = await openConnection();
    const closed = once(socket, 'close');
    closeUnused();
    await closed;
  });

  test('ends a connection that is opened meanwhile', async () => {
    closeUnused();
    const socket = await openConnection();
    await once(socket, 'close');
  });

  test('lets a running request end, and its connection with it', async () => {
    const asked = once(server, 'request');
    const outgoing = request({ port, host: '127.0.0.1', headers: { connection: 'keep-alive' } });
    const closed = once(outgoing, 'socket').then(([one]) => once(one, 'close'));
    outgoing.end();
    await asked;
    closeUnused();
    const responded = once(outgoing, 'response');
    waiting[0]?.end('done');
    const [response] = await responded;
    let text = '';
    for await (const piece of response) text += String(piece);
    expect(text).toBe('done');
    await closed;
  });

  test('ends a connection whose requests are all answered', async () => {
    const socket = await openConnection();
    const asked = once(server, 'request');
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await asked;
    waiting[0]?.end();
    await once(socket, 'data');
    const closed = once(socket, 'close');
    closeUnused();
    await closed;
  });
});
