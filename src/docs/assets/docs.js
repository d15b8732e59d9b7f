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

/** The list of records that the examples ask for: of posts, as long as there are any. */
function sampleList(paths) {
  const lists = Object.keys(paths).filter((path) => /^\/api\/cms\/[a-z][\w-]*$/.test(path));
  return root.href.slice(0, -1) + (lists.find((path) => path.endsWith('/post')) ?? lists[0] ?? '/api/cms/post');
}

const examplesFor = (address) => [
  ['curl', `curl '${address}' \\\n  -H 'Authorization: Bearer cms_…'`],
  [
    'JavaScript',
    `const url = '${address}';
const answer = await fetch(url, {
  headers: { Authorization: 'Bearer cms_…' },
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

/**
 * Every operation is in the page, so that the browser finds its path: from 150 rows on, Swagger UI would draw
 * only those that are seen.
 */
const everyOperation = ({ React: { createElement: h }, getComponent, getConfigs, ...system }) => ({
  wrapComponents: {
    operations: () => () => {
      const { specSelectors, oas3Selectors, layoutSelectors, layoutActions } = system;
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
      return h('div', null, specSelectors.taggedOperations().map(ofTag).valueSeq().toArray());
    },
  },
});

const fetchSnippets = () => ({ fn: { requestSnippetGenerator_fetch: asFetch } });

function start() {
  const place = document.getElementById('docs');
  followScheme();
  darkScheme.addEventListener('change', followScheme);
  new MutationObserver(() => mend(place)).observe(place, { childList: true, subtree: true });
  window.SwaggerUIBundle({
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
