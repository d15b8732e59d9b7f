'use strict';

/* Starts Swagger UI, has it follow the colour scheme of the system, and mends what keeps people from using it. */

const darkScheme = window.matchMedia('(prefers-color-scheme: dark)');

function followScheme() {
  document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
}

/** Links inside of buttons cannot be reached; opening an operation changes the address all the same. */
const withoutNestedLinks = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement('span', null, text) },
});

/** Level of a heading by its element; Swagger UI starts with the second and leaves some out. */
const LEVELS = [
  ['.info .title', 1],
  ['h3.opblock-tag, section.models > h4, .modal-ux-header h3', 2],
  ['.opblock-section-header h4, .auth-container h4', 3],
  ['.responses-inner h4, .responses-inner h5, .auth-container h6', 4],
];

/** Parts of the page that ought to be more than boxes. */
const ROLES = [
  ['.information-container', 'banner'],
  ['.scheme-container', 'region'],
  ['.modal-ux', 'dialog'],
];

/** Names for controls and parts that have none, by what they stand in. */
const LABELS = [
  ['.scheme-container', () => 'Server and credentials'],
  ['.modal-ux', () => 'Credentials'],
  ['table.responses-table', (table) => `Answers: ${table.id}`],
  ['#servers', () => 'Server'],
  ['.close-modal', () => 'Close'],
  ['select.content-type, .content-type-wrapper select', () => 'Media type'],
  ['.examples-select-element', () => 'Example'],
  ['textarea.body-param__text', () => 'Request body'],
  [
    'tr[data-param-name] :is(input, select, textarea)',
    (control) => control.closest('[data-param-name]').dataset.paramName,
  ],
];

function mend(root) {
  for (const [selector, level] of LEVELS) {
    for (const heading of root.querySelectorAll(selector)) heading.ariaLevel = String(level);
  }
  for (const [selector, labelOf] of LABELS) {
    for (const control of root.querySelectorAll(selector)) control.ariaLabel = labelOf(control);
  }
  for (const [selector, role] of ROLES) {
    for (const part of root.querySelectorAll(selector)) part.role = role;
  }
  // A name that differs from the text on the button cannot be spoken to it.
  for (const button of root.querySelectorAll('.modal-btn[aria-label]')) button.removeAttribute('aria-label');
  // What scrolls must be reachable by keyboard.
  for (const box of root.querySelectorAll('.highlight-code pre, pre.microlight, .curl')) box.tabIndex = 0;
}

/** Where the service is as this page sees it, with whatever a gateway has put before its paths. */
const root = new URL('../../../../', document.currentScript.src);

/** Operations are tried where the page came from: no other address may be asked by it. */
const ownServer = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => update({ ...document, servers: [{ url: root.href.slice(0, -1) }] }),
      },
    },
  },
});

/** Of the demo, for a browser on the same machine; elsewhere people fill in theirs. */
const demoToken = document.querySelector('meta[name="demo-token"]')?.content;
const shownToken = demoToken ?? 'cms_…';

/** The list of records that the examples ask for: of posts, as long as there are any. */
function sampleList(paths) {
  const lists = Object.keys(paths).filter((path) => /^\/api\/cms\/[a-z][\w-]*$/.test(path));
  return root.href.slice(0, -1) + (lists.find((path) => path.endsWith('/post')) ?? lists[0] ?? '/api/cms/post');
}

const examplesFor = (address) => [
  ['curl', `curl '${address}' \\\n  -H 'Authorization: Bearer ${shownToken}'`],
  [
    'JavaScript',
    `const url = '${address}';
const answer = await fetch(url, {
  headers: { Authorization: 'Bearer ${shownToken}' },
});
const { data, meta } = await answer.json();`,
  ],
];

/** What the first screen says before the routes: what this is, and a first request. The rules fold away. */
const shortHead = ({ React: { createElement: h }, getComponent, specSelectors }) => ({
  wrapComponents: {
    OAS31Info: () => () => {
      const { info, paths = {} } = specSelectors.specJson().toJS();
      const Markdown = getComponent('Markdown', true);
      const examples = examplesFor(sampleList(paths)).map(([name, code]) =>
        h('figure', { key: name }, h('figcaption', null, name), h('pre', { tabIndex: 0 }, h('code', null, code))),
      );
      return h(
        'div',
        { className: 'info' },
        h('h1', { className: 'title' }, info.title, h('small', null, h('pre', { className: 'version' }, info.version))),
        h('p', null, info.summary, ' ', h('a', { href: new URL('api/openapi.json', root).href }, 'openapi.json')),
        h('div', { className: 'examples' }, ...examples),
        demoToken &&
          h('p', null, 'The token of this demo is filled in: open an operation, then Try it out and Execute.'),
        h(
          'details',
          null,
          h('summary', null, 'Access, shapes and versions'),
          h(Markdown, { source: info.description }),
        ),
      );
    },
  },
});

/** A text in a JavaScript program. */
const quoted = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A request that was tried, as a program would send it. */
function asFetch(request) {
  const { url, method, headers = {}, body } = request.toJS();
  const lines = [
    `  method: ${quoted(method)},`,
    ...(Object.keys(headers).length > 0 ? ['  headers: {'] : []),
    ...Object.entries(headers).map(([name, value]) => `    ${quoted(name)}: ${quoted(String(value))},`),
    ...(Object.keys(headers).length > 0 ? ['  },'] : []),
    ...(typeof body === 'string' ? [`  body: ${quoted(body)},`] : []),
  ];
  return `const answer = await fetch(${quoted(url)}, {\n${lines.join('\n')}\n});`;
}

/** What an operation is found by: its method, path, name and summary. */
const wordsOf = (op) =>
  [op.get('method'), op.get('path'), op.getIn(['operation', 'operationId']), op.getIn(['operation', 'summary'])]
    .join(' ')
    .toLowerCase();

/** The operations that have all words of a search. */
function found(operations, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter((op) => words.every((word) => wordsOf(op).includes(word)));
}

/** Groups of content types are alike: that of posts, or else the first, is open; the others are headings. */
function foldedOf(tags) {
  const ofTypes = tags.filter((tag) => tag.startsWith('Records: '));
  const open = ofTypes.find((tag) => tag === 'Records: post') ?? ofTypes[0];
  return new Set(ofTypes.filter((tag) => tag !== open));
}

/** While one searches, groups are open; otherwise as the reader left them, or folded. */
const opened = (layoutSelectors, folded, isSearching) => ({
  ...layoutSelectors,
  isShown: (key, isOpen) => {
    if (key[0] !== 'operations-tag') return layoutSelectors.isShown(key, isOpen);
    return isSearching || layoutSelectors.isShown(key, isOpen && !folded.has(key[1]));
  },
});

/** The field above the operations. */
const searchField = (h, search, setSearch, count) =>
  h(
    'div',
    { className: 'find', role: 'search' },
    h('input', {
      type: 'search',
      value: search,
      placeholder: 'Search operations: publish, tokens, /revisions …',
      'aria-label': 'Search operations',
      onChange: ({ target }) => setSearch(target.value),
    }),
    h('span', { role: 'status' }, search.trim() === '' ? '' : `${count} found`),
  );

/**
 * Every operation of an open group is in the page, so that the browser finds its path: from 150 rows on, Swagger UI would
 * draw only those that are seen.
 */
const everyOperation = ({ React: { createElement: h, useState }, getComponent, getConfigs, ...system }) => ({
  wrapComponents: {
    operations: () => () => {
      const [search, setSearch] = useState('');
      const { specSelectors, oas3Selectors, layoutActions } = system;
      const groups = specSelectors.taggedOperations();
      const shown = groups
        .map((group) => group.update('operations', (operations) => found(operations, search)))
        .filter((group) => group.get('operations').size > 0);
      const folded = foldedOf(groups.keySeq().toArray());
      const layoutSelectors = opened(system.layoutSelectors, folded, search.trim() !== '');
      const Tag = getComponent('OperationTag');
      const Operation = getComponent('OperationContainer', true);
      const ofTag = (tagObj, tag) =>
        h(
          Tag,
          { key: tag, tagObj, tag, oas3Selectors, layoutSelectors, layoutActions, getConfigs, getComponent },
          h('div', { className: 'operation-tag-content' }, tagObj.get('operations').map(ofPath(tag)).toArray()),
        );
      const ofPath = (tag) => (op) => {
        const [path, method, specPath] = ['path', 'method', 'specPath'].map((name) => op.get(name));
        return h(Operation, { key: `${method} ${path}`, specPath, op, path, method, tag });
      };
      const count = shown.reduce((sum, group) => sum + group.get('operations').size, 0);
      return h('div', null, searchField(h, search, setSearch, count), shown.map(ofTag).valueSeq().toArray());
    },
  },
});

const fetchSnippets = () => ({ fn: { requestSnippetGenerator_fetch: asFetch } });

function start() {
  const place = document.getElementById('docs');
  followScheme();
  darkScheme.addEventListener('change', followScheme);
  new MutationObserver(() => mend(place)).observe(place, { childList: true, subtree: true });
  const ui = window.SwaggerUIBundle({
    onComplete: () => {
      if (demoToken) ui.preauthorizeApiKey('bearer', demoToken);
    },
    url: new URL('api/openapi.json', root).href,
    domNode: place,
    plugins: [withoutNestedLinks, ownServer, shortHead, everyOperation, fetchSnippets],
    deepLinking: true,
    docExpansion: 'list',
    requestSnippetsEnabled: true,
    requestSnippets: {
      generators: {
        curl_bash: { title: 'curl', syntax: 'bash' },
        fetch: { title: 'JavaScript', syntax: 'javascript' },
      },
      defaultExpanded: true,
    },
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    syntaxHighlight: { theme: 'tomorrow-night' },
    validatorUrl: null,
  });
}

start();
