/**
 * Requests that the double of OpenSearch takes, with all parameters that the OpenAPI description of OpenSearch has for them:
 * https://github.com/opensearch-project/opensearch-api-specification, spec/namespaces, of August 2026.
 */
export interface DocumentedRequest {
  readonly group: string;
  readonly methods: readonly string[];
  /** Its groups are names of indexes, of aliases or of documents. */
  readonly path: RegExp;
  readonly parameters: readonly string[];
}

/** Of any request: spec/_global_parameters.yaml. */
export const GLOBAL_PARAMETERS = ['pretty', 'human', 'error_trace', 'source', 'filter_path'];

const NAME = '([^/_][^/]*)';
const words = (text: string): string[] => text.split(' ');
const path = (...parts: string[]): RegExp => new RegExp(`^/${parts.join('/')}$`);

export const DOCUMENTED: readonly DocumentedRequest[] = [
  { group: 'info', methods: ['GET'], path: /^\/$/, parameters: [] },
  {
    group: 'cluster.health',
    methods: ['GET'],
    path: path('_cluster', 'health', NAME),
    parameters: words(
      'awareness_attribute cluster_manager_timeout expand_wildcards level local master_timeout timeout wait_for_active_shards wait_for_events wait_for_no_initializing_shards wait_for_no_relocating_shards wait_for_nodes wait_for_status',
    ),
  },
  {
    group: 'indices.update_aliases',
    methods: ['POST'],
    path: path('_aliases'),
    parameters: words('cluster_manager_timeout master_timeout timeout'),
  },
  {
    group: 'indices.create',
    methods: ['PUT'],
    path: path(NAME),
    parameters: words('cluster_manager_timeout master_timeout timeout wait_for_active_shards'),
  },
  {
    group: 'indices.get',
    methods: ['GET'],
    path: path(NAME),
    parameters: words(
      'allow_no_indices cluster_manager_timeout expand_wildcards flat_settings ignore_unavailable include_defaults local master_timeout',
    ),
  },
  {
    group: 'indices.delete',
    methods: ['DELETE'],
    path: path(NAME),
    parameters: words(
      'allow_no_indices cluster_manager_timeout expand_wildcards ignore_unavailable master_timeout timeout',
    ),
  },
  {
    group: 'indices.refresh',
    methods: ['GET', 'POST'],
    path: path(NAME, '_refresh'),
    parameters: words('allow_no_indices expand_wildcards ignore_unavailable'),
  },
  {
    group: 'count',
    methods: ['GET', 'POST'],
    path: path(NAME, '_count'),
    parameters: words(
      'allow_no_indices analyze_wildcard analyzer default_operator df expand_wildcards ignore_throttled ignore_unavailable lenient min_score preference q routing terminate_after',
    ),
  },
  {
    group: 'search',
    methods: ['GET', 'POST'],
    path: path(NAME, '_search'),
    parameters: words(
      '_source _source_excludes _source_includes allow_no_indices allow_partial_search_results analyze_wildcard analyzer batched_reduce_size cancel_after_time_interval ccs_minimize_roundtrips default_operator df docvalue_fields expand_wildcards explain from ignore_throttled ignore_unavailable include_named_queries_score index lenient max_concurrent_shard_requests phase_took pre_filter_shard_size preference q request_cache rest_total_hits_as_int routing scroll search_pipeline search_type seq_no_primary_term size sort stats stored_fields suggest_field suggest_mode suggest_size suggest_text terminate_after timeout track_scores track_total_hits typed_keys verbose_pipeline version',
    ),
  },
  {
    group: 'bulk',
    methods: ['POST', 'PUT'],
    path: path(NAME, '_bulk'),
    parameters: words(
      '_source _source_excludes _source_includes index pipeline refresh require_alias routing timeout type wait_for_active_shards',
    ),
  },
  {
    group: 'get',
    methods: ['GET'],
    path: path(NAME, '_doc', NAME),
    parameters: words(
      '_source _source_excludes _source_includes preference realtime refresh routing stored_fields version version_type',
    ),
  },
  {
    group: 'index',
    methods: ['PUT', 'POST'],
    path: path(NAME, '_doc', NAME),
    parameters: words(
      'if_primary_term if_seq_no op_type pipeline refresh require_alias routing timeout version version_type wait_for_active_shards',
    ),
  },
];
