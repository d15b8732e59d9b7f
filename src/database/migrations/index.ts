import { Accounts1790000000001 } from './1790000000001-accounts.js';
import { ContentTypes1790000000002 } from './1790000000002-content-types.js';
import { Records1790000000003 } from './1790000000003-records.js';
import { BuiltInTypes1790000000004 } from './1790000000004-built-in-types.js';
import { Taxonomy1790000000005 } from './1790000000005-taxonomy.js';
import { RecordTerms1790000000006 } from './1790000000006-record-terms.js';
import { Revisions1790000000007 } from './1790000000007-revisions.js';
import { Search1790000000008 } from './1790000000008-search.js';
import { Sitemap1790000000009 } from './1790000000009-sitemap.js';
import { RecordSources1790000000010 } from './1790000000010-record-sources.js';
import { SearchChanges1790000000012 } from './1790000000012-search-changes.js';
import { RecordDeltas1790000000014 } from './1790000000014-record-deltas.js';
import { SignIn1790000000015 } from './1790000000015-sign-in.js';
import { MailQueue1790000000016 } from './1790000000016-mail-queue.js';
import { Audit1790000000017 } from './1790000000017-audit.js';
import { IndexCompleteness1790000000025 } from './1790000000025-index-completeness.js';
import { TypeWatches1790000000026 } from './1790000000026-type-watches.js';
import { TypeDepartures1790000000027 } from './1790000000027-type-departures.js';
import { RevisionChecksums1790000000030 } from './1790000000030-revision-checksums.js';
import { ActorRenames1790000000031 } from './1790000000031-actor-renames.js';
import { TermOrigin1790000000032 } from './1790000000032-term-origin.js';
import { SearchStopWords1790000000035 } from './1790000000035-search-stop-words.js';
import { RecordLocales1790000000050 } from './1790000000050-record-locales.js';
import { TermSlugs1790000000051 } from './1790000000051-term-slugs.js';
import { ExactEmails1790000000052 } from './1790000000052-exact-emails.js';
import { RemovedTypes1790000000053 } from './1790000000053-removed-types.js';
import { TokenOwners1790000000054 } from './1790000000054-token-owners.js';
import { SessionAuthTime1790000000055 } from './1790000000055-session-auth-time.js';
import { RoleSources1790000000056 } from './1790000000056-role-sources.js';
import { ProviderSessions1790000000057 } from './1790000000057-provider-sessions.js';
import { EndedTokens1790000000059 } from './1790000000059-ended-tokens.js';
import { IdentityIssuers1790000000061 } from './1790000000061-identity-issuers.js';
import { AppSecret1790000000062 } from './1790000000062-app-secret.js';
import { SearchMerges1790000000063 } from './1790000000063-search-merges.js';
import { GivenPasswords1790000000065 } from './1790000000065-given-passwords.js';
import { BoundIdentities1790000000072 } from './1790000000072-bound-identities.js';
import { ExpandIssuerRoles1790000000074 } from './1790000000074-expand-issuer-roles.js';
import { ExpandDatabaseIdentity1790000000076 } from './1790000000076-expand-database-identity.js';
import { ExpandConfiguredParents1790000000077 } from './1790000000077-expand-configured-parents.js';
import { ExpandAdminsIndex1790000000078 } from './1790000000078-expand-admins-index.js';

/**
 * All migrations but the contractions, oldest first. A released one is never changed. A new one is called `Expand…`: the
 * version before it goes on working on its tables (docs/adr/0039).
 */
export const migrations = [
  Accounts1790000000001,
  ContentTypes1790000000002,
  Records1790000000003,
  BuiltInTypes1790000000004,
  Taxonomy1790000000005,
  RecordTerms1790000000006,
  Revisions1790000000007,
  Search1790000000008,
  Sitemap1790000000009,
  RecordSources1790000000010,
  SearchChanges1790000000012,
  RecordDeltas1790000000014,
  SignIn1790000000015,
  MailQueue1790000000016,
  Audit1790000000017,
  IndexCompleteness1790000000025,
  TypeWatches1790000000026,
  TypeDepartures1790000000027,
  RevisionChecksums1790000000030,
  ActorRenames1790000000031,
  TermOrigin1790000000032,
  SearchStopWords1790000000035,
  RecordLocales1790000000050,
  TermSlugs1790000000051,
  ExactEmails1790000000052,
  RemovedTypes1790000000053,
  TokenOwners1790000000054,
  SessionAuthTime1790000000055,
  RoleSources1790000000056,
  ProviderSessions1790000000057,
  EndedTokens1790000000059,
  IdentityIssuers1790000000061,
  AppSecret1790000000062,
  SearchMerges1790000000063,
  GivenPasswords1790000000065,
  BoundIdentities1790000000072,
  ExpandIssuerRoles1790000000074,
  ExpandDatabaseIdentity1790000000076,
  ExpandConfiguredParents1790000000077,
  ExpandAdminsIndex1790000000078,
];
