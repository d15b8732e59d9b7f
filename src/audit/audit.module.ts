import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditJobs, AuditReader } from './audit-reader.js';
import { AuditController } from './audit.controller.js';
import { Audit, AuditSignals } from './audit.js';
import { AuditedUnits } from './audited-units.js';
import { AuthEvent } from './auth-event.entity.js';

/** Global: whatever changes an account or a credential writes an event. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuthEvent])],
  controllers: [AuditController],
  providers: [Audit, AuditedUnits, AuditReader, AuditJobs, AuditSignals],
  exports: [Audit, AuditedUnits, AuditReader],
})
export class AuditModule {}
