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

function start() {
  const root = document.getElementById('docs');
  followScheme();
  darkScheme.addEventListener('change', followScheme);
  new MutationObserver(() => mend(root)).observe(root, { childList: true, subtree: true });
  window.SwaggerUIBundle({
    url: '/api/openapi.json',
    domNode: root,
    plugins: [withoutNestedLinks],
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    syntaxHighlight: { theme: 'tomorrow-night' },
    validatorUrl: null,
  });
}

start();
