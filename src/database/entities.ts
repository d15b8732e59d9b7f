import { AuthEvent } from '../audit/auth-event.entity.js';
import { ApiToken } from '../auth/api-tokens/api-token.entity.js';
import { Identity } from '../auth/accounts/identity.entity.js';
import { Challenge } from '../auth/challenges/challenge.entity.js';
import { StoredSigningKey } from '../auth/keys/signing-key.entity.js';
import { Counter } from '../auth/limits/counter.entity.js';
import { Session } from '../auth/sessions/session.entity.js';
import { ContentField } from '../content-types/store/content-field.entity.js';
import { ContentType } from '../content-types/store/content-type.entity.js';
import { TypeDeparture } from '../content-types/changes/type-departure.entity.js';
import { TypeWatch, TypeWatchRecord } from '../content-types/changes/type-watch.entity.js';
import { StoredAppSecret } from './app-secret.entity.js';
import { QueuedMail } from '../mail/queued-mail.entity.js';
import {
  Actor,
  ContentRecord,
  RecordContent,
  RecordCount,
  RecordDelta,
  RecordField,
  RecordFold,
  RecordPosition,
  TermCount,
} from '../records/record.entity.js';
import { Revision } from '../revisions/revision.entity.js';
import { SitemapPart, SitemapPartDelta } from '../sitemap/sitemap-part.entity.js';
import { StoredTaxonomy, Term, TermRedirect } from '../taxonomy/taxonomy.entity.js';
import { SearchJobRow, SearchWord } from '../search/search.entity.js';
import { RecordSource } from '../transfer/import/record-source.entity.js';
import { User } from '../users/user.entity.js';

/** Every table, by hand: globs find different files in `src`, in `dist` and under jest. */
export const entities = [
  Actor,
  ApiToken,
  AuthEvent,
  Challenge,
  ContentField,
  ContentRecord,
  ContentType,
  QueuedMail,
  Counter,
  Identity,
  RecordContent,
  RecordCount,
  RecordDelta,
  RecordField,
  RecordFold,
  RecordPosition,
  Revision,
  SitemapPart,
  SitemapPartDelta,
  RecordSource,
  StoredSigningKey,
  StoredTaxonomy,
  Term,
  TermCount,
  TermRedirect,
  TypeDeparture,
  TypeWatch,
  TypeWatchRecord,
  SearchJobRow,
  SearchWord,
  Session,
  StoredAppSecret,
  User,
];
