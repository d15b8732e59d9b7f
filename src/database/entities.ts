import { ApiToken } from '../auth/api-tokens/api-token.entity.js';
import { ContentField } from '../content-types/content-field.entity.js';
import { ContentType } from '../content-types/content-type.entity.js';
import {
  Actor,
  ContentRecord,
  RecordContent,
  RecordCount,
  RecordCountDelta,
  RecordField,
  RecordPosition,
  RecordPositionDelta,
  TermCount,
  TermCountDelta,
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
  ContentField,
  ContentRecord,
  ContentType,
  RecordContent,
  RecordCount,
  RecordCountDelta,
  RecordField,
  RecordPosition,
  RecordPositionDelta,
  Revision,
  SitemapPart,
  SitemapPartDelta,
  RecordSource,
  StoredTaxonomy,
  Term,
  TermCount,
  TermCountDelta,
  TermRedirect,
  SearchJobRow,
  SearchWord,
  User,
];
