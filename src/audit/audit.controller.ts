import { Controller, Get } from '@nestjs/common';
import { RequireScope } from '../common/access/access.decorators.js';
import type { ListEnvelope } from '../common/envelope.js';
import { UrlQuery } from '../common/http/url-query.js';
import { auditQuery } from './audit-query.js';
import { AuditReader } from './audit-reader.js';
import { AuthEventDto } from './auth-event.dto.js';

/** What happened to accounts and credentials. There is no route that changes it. */
@RequireScope('audit:read')
@Controller('api/admin/audit')
export class AuditController {
  constructor(private readonly events: AuditReader) {}

  @Get()
  list(@UrlQuery() query: URLSearchParams): Promise<ListEnvelope<AuthEventDto>> {
    return this.events.page(auditQuery(query));
  }
}
