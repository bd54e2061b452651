import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Tenants } from './tenants.js';

/** Hands the tenants out where there are some. They are read before the graph is built: a mistake in them stops the start. */
@Global()
@Module({})
export class TenantsModule {
  static forRoot(tenants: Tenants): DynamicModule {
    return { module: TenantsModule, providers: [{ provide: Tenants, useValue: tenants }], exports: [Tenants] };
  }
}
