import { withoutUser } from './addresses.js';

describe('An address for people', () => {
  it.each([
    ['https://ann:hunter2@cms.example.com/x', 'https://…@cms.example.com/x'],
    ['https://:hunter2@cms.example.com', 'https://…@cms.example.com'],
    ['https://ann:hun/ter@2@cms.example.com', 'https://…@cms.example.com'],
    ['ann:hunter2@cms.example.com', 'ann:…@cms.example.com'],
    ['https://ann:hunter2', 'https://…'],
    ['https://ann:2hunter', 'https://…'],
  ])('hides the user and the password of %s', (text, hidden) => {
    expect(withoutUser(text)).toBe(hidden);
  });

  it.each([
    'https://cms.example.com:8443/x?y#z',
    'http://localhost:3000',
    'http://[::1]:3000',
    'com.example.app:/signed-in',
    'https://cms.example.com:/x',
    'cms.example.com',
    '*',
    '',
  ])('is the address itself where it has none: %s', (text) => {
    expect(withoutUser(text)).toBe(text);
  });
});
