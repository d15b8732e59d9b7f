import { Controller, Get } from '@nestjs/common';
import { RequireScope } from '../common/access/access.decorators.js';
import { UrlQuery } from '../common/http/url-query.js';
import { answer, listed } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../common/openapi/endpoint.js';
import { AUDIT_PARAMETERS, auditQuery, AuditReader, AUDIT_EVENT } from './audit-reader.js';

/** Events of accounts and credentials. There is no route that changes them. */
@RequireScope('audit:read')
@Controller('api/admin/audit')
@EndpointGroup('Audit')
export class AuditController {
  constructor(private readonly events: AuditReader) {}

  @Get()
  @Endpoint('listAuditEvents', 'List events of the audit', {
    description: 'The newest first, without a total; `next_cursor` leads on.',
    parameters: AUDIT_PARAMETERS,
    answers: { 200: answer('The events.', listed(AUDIT_EVENT)) },
    fails: ['invalid_cursor'],
  })
  list(@UrlQuery() query: URLSearchParams) {
    return this.events.page(auditQuery(query));
  }
}
