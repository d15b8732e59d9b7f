import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyJobs } from './idempotency-jobs.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { OnceRequests } from './once-requests.js';

/** Requests with an `Idempotency-Key`, each carried out once. */
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyJobs, OnceRequests],
  exports: [OnceRequests],
})
export class IdempotencyModule {}
