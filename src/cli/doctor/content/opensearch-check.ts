import type { DerivedIndexReport } from '../../../common/derived-indexes.js';
import { Reads } from '../../../database/statements/reads.js';
import { Cluster } from '../../../search/opensearch/cluster/cluster.js';
import { ClusterError } from '../../../search/opensearch/cluster/cluster-error.js';
import { LATE_S } from '../../../search/changes/change-lag.js';
import { identityIn } from '../../../search/opensearch/database-identity.js';
import { ForeignIndexError } from '../../../search/opensearch/foreign-index-error.js';
import { IndexList } from '../../../search/opensearch/index-list.js';
import { IndexProgress } from '../../../search/opensearch/index-progress.js';
import { planOf } from '../../../search/opensearch/plan.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

const WITHIN_MS = 10_000;
const SAID: Partial<Record<ClusterError['kind'], string>> = {
  closed: 'It does not take the user of SEARCH_URL. Check user and password, and what the user may do',
};

/** Whether OpenSearch, where it is searched, answers, has an index, and is fed. */
export const opensearchCheck: Check<OpenDatabase> = {
  name: 'opensearch',
  async look({ source, dialect, settings: { searchServer } }) {
    if (!searchServer) return [];
    const cluster = new Cluster(searchServer);
    try {
      return [await resultOf(cluster, new Reads(source), dialect.now)];
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      return [failed(SAID[error.kind] ?? 'It does not answer, and searches are 503', error.message)];
    } finally {
      await cluster.close();
    }
  },
};

/** @throws {ClusterError} */
async function resultOf(cluster: Cluster, reader: Reads, now: string): Promise<CheckResult> {
  const plan = planOf(await new IndexList(cluster).read('open'), (await identityIn(reader)) ?? '');
  const { serving, building, foreign } = plan;
  if (foreign) return { ok: false, message: new ForeignIndexError(foreign).message };
  if (!serving) return failed('There is no index yet, and searches are 503: the service builds it', building?.name);
  const progress = new IndexProgress({ cluster, reader, now, plan: () => Promise.resolve(plan) });
  const health = await healthOf(cluster, serving.name);
  if (health === 'red') return failed('A part of the index is missing (red), and searches are 503', serving.name);
  const next = building ? `; ${building.name} is being built` : '';
  return resultOfReport(await progress.report(), serving.name, `${serving.name} is ${health}`, next);
}

function resultOfReport(
  { oldestSeconds: lag, reason }: DerivedIndexReport,
  name: string,
  health: string,
  next: string,
): CheckResult {
  if (reason === 'newer_release')
    return failed('The index was made by a newer release, and searches of this one are 503', name);
  const message = `${health}, ${lag ?? 'an unknown number of'} s behind${next}`;
  return lag === null || lag > LATE_S ? failed('The index is not fed', message) : { ok: true, message };
}

/** The user of the service needs not be allowed to ask for it. */
async function healthOf(cluster: Cluster, index: string): Promise<string> {
  try {
    const path = `/_cluster/health/${index}`;
    return (await cluster.ask<{ status: string }>({ method: 'GET', path, within: WITHIN_MS })).status;
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'closed') return 'of unknown health';
    throw error;
  }
}

function failed(fault: string, detail = 'none is being built'): CheckResult {
  return { ok: false, message: `${fault} (${detail}). See docs/runbooks.md.` };
}
