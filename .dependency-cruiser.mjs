/** The layers of `src`, the lowest first. A file may import from its own folder and from lower layers, nothing else. */
const layers = [
  ['common'],
  ['config', 'database', 'events', 'idempotency', 'mail', 'audit', 'metrics', 'tracing'], // the platform: may use each other, never in a circle
  ['users', 'content-types', 'taxonomy', 'media'],
  ['auth', 'records', 'console'],
  ['revisions', 'search', 'sitemap', 'publishing', 'webhooks', 'health', 'docs', 'transfer'],
];
/**
 * The layers within a feature, each a folder, the lowest first; folders in a list of their own are on one layer and do not
 * know each other. What lies beside them, such as the module of the feature, stands above all.
 */
const FEATURE_LAYERS = {
  database: [
    'migrations',
    'dialect',
    'statements',
    ['units', 'servers'],
    'reading-threads',
    ['sqlite', 'mysql', 'schema'],
  ],
  'content-types': ['kinds', 'definition', 'store', 'changes'],
  records: ['rows', 'counting', ['reading', 'writing'], 'types', ['terms', 'openapi'], 'checks'],
  taxonomy: ['taxonomies', 'terms', ['assignment', 'removal']],
  publishing: ['copies'],
  auth: [
    ['methods', 'secrets'],
    ['limits', 'pages'],
    'tokens',
    'sessions',
    'accounts',
    'exchange',
    'proofs',
    ['step-up', 'notices'],
    ['security', 'issuers', 'check'],
    'guards',
  ],
  'auth/tokens': ['keys', 'access', ['refresh', 'api']],
  'auth/tokens/api': ['rows'],
  'auth/sessions': ['lifecycle', 'answers', 'refreshing'],
  'auth/proofs': ['challenges', ['mail', 'password', 'invitation', 'provider'], ['otp', 'magic-link']],
  'auth/proofs/provider': ['identity', ['linking', 'flow'], 'passport', 'redirect', 'logout'],
};
const PLATFORM = 1;
const folder = (names) => `^src/(${names.join('|')})/`;

/** Packages that most services never use, and the files that load them. `await import(…)` it: a start takes as long as it has files to read. */
const SELDOM =
  'node_modules/(@nestjs/passport|@opentelemetry/(?!api/)[^/]+|class-validator|ioredis|jose|nodemailer|passport[^/]*|sitemap)/';
/** The file that loads the packages for traces, which only some images have. */
const OF_TRACES = '^src/tracing/otel-tracing\\.ts$';
const SELDOM_FILES = [
  '^src/auth/tokens/access/jwt\\.strategy\\.ts$',
  '^src/auth/proofs/provider/(identity/id-tokens|passport/(passport-provider|strategies))\\.ts$',
  '^src/sitemap/sitemap-xml\\.ts$',
  OF_TRACES,
  '\\.openapi\\.ts$',
];

const layerRules = layers.flatMap((names, level) => [
  {
    name: `layer-${level}-imports-upward`,
    severity: 'error',
    from: { path: folder(names), pathNot: '\\.spec\\.ts$' },
    to: {
      path:
        layers
          .slice(level + 1)
          .map(folder)
          .join('|') || '^$',
    },
  },
  ...(level > PLATFORM
    ? [
        {
          name: `layer-${level}-imports-sideways`,
          severity: 'error',
          from: { path: folder(names) },
          to: { path: folder(names), pathNot: '^src/$1/' },
        },
      ]
    : []),
]);

const featureRules = Object.entries(FEATURE_LAYERS).flatMap(([feature, levels]) =>
  levels.flatMap((level, index) =>
    [level].flat().map((name) => {
      const unseen = [level, ...levels.slice(index + 1)].flat().filter((other) => other !== name);
      return {
        name: `${feature}-${name}-imports-upward`,
        severity: 'error',
        from: { path: `^src/${feature}/${name}/`, pathNot: '\\.spec\\.ts$' },
        to: { path: [`^src/${feature}/[^/]+$`, ...unseen.map((other) => `^src/${feature}/${other}/`)] },
      };
    }),
  ),
);

export default {
  forbidden: [
    ...layerRules,
    ...featureRules,
    {
      name: 'entries-stay-above',
      severity: 'error',
      from: { path: folder(layers.flat()), pathNot: '\\.spec\\.ts$' },
      to: { path: ['^src/[^/]+$', '^src/(app|cli|demo)/'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'entities-stay-home',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '\\.entity\\.ts$', pathNot: '^src/$1/' },
    },
    {
      name: 'http-stays-at-the-edge',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: '/(express|@types/express)/' },
    },
    {
      name: 'no-orm-in-controllers',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '/typeorm/' },
    },
    {
      name: 'seldom-used-is-imported-where-it-is-used',
      severity: 'error',
      from: { path: '^src/', pathNot: [...SELDOM_FILES, '\\.spec\\.ts$'] },
      to: { path: [SELDOM, ...SELDOM_FILES], dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'service-and-workspaces-apart',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(admin|packages)/' },
    },
    {
      name: 'workspaces-and-service-apart',
      severity: 'error',
      from: { path: '^(admin|packages)/' },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'client-has-no-dependency',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^packages/client/src/' },
    },
    {
      name: 'no-dev-dependency-in-src',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.spec\\.ts$', OF_TRACES] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
