import { Module } from '@nestjs/common';
import { DnsResolver } from './dns-resolver.port.js';
import { NodeDnsResolver } from './io/node-dns-resolver.js';

/** What all protocols share: the one pool of DNS look-ups. Guards with settings or state of their own are built for each. */
@Module({
  providers: [{ provide: DnsResolver, useFactory: (): DnsResolver => new NodeDnsResolver() }],
  exports: [DnsResolver],
})
export class SafetyModule {}
