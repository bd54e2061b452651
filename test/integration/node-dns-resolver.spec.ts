import { expect, test } from '@jest/globals';
import { Deadline } from '../../src/common/deadline.js';
import { SystemClock } from '../../src/clock/system-clock.js';
import { AddressGuard } from '../../src/safety/index.js';
import { NodeDnsResolver } from '../../src/safety/io/node-dns-resolver.js';

const guard = new AddressGuard(
  { allowedPorts: null, allowLocalHosts: false, allowedNetworks: [], deniedNetworks: [], variablePrefix: 'GOPHER_' },
  new NodeDnsResolver(),
);

// The operating system reads these without asking any name server.
test.each(['localhost', '127.1', '2130706433', '0x7f000001', '0177.0.0.1'])(
  '%s leads to this machine and is refused',
  async (host) => {
    const deadline = new Deadline(new SystemClock(), 5000);
    const vetted = await guard.vet({ host, port: 70 }, deadline);
    deadline.dispose();
    expect(vetted).toMatchObject({ ok: false, error: { code: 'BLOCKED', facts: { reason: 'address_class' } } });
  },
);
