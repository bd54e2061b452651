import { connect } from 'node:net';

/** Sends one line, reads to the end. */
export function askFinger(host: string, port: number, user: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => socket.write(`${user}\r\n`));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (piece) => (text += String(piece)));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}
