import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { words } from '../words.js';

/** Grounds and lines by night, with a little of the ink in them. */
const dark = [
  '#dfe1ea',
  '#b9bccb',
  '#a3a6b8',
  '#6e7187',
  '#34364a',
  '#282a3d',
  '#1c1d2c',
  '#161723',
  '#11121c',
  '#0f1019',
] as const;

/** Blue ink: what can be pressed, and nothing else. */
const ink = [
  '#eef1ff',
  '#dfe5ff',
  '#bcc8fd',
  '#93a4ff',
  '#6f86f7',
  '#506beb',
  '#4460ea',
  '#3550d1',
  '#2a42b4',
  '#1e3190',
] as const;

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 6, dark: 5 },
  colors: { ink, dark },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  headings: { fontWeight: '650', textWrap: 'balance' },
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': words.close } } } },
});

const day = {
  '--mantine-color-body': '#ffffff',
  '--mantine-color-text': '#14161f',
  '--mantine-color-dimmed': '#5a6172',
  '--mantine-color-placeholder': '#666d7f',
  '--mantine-color-default-border': '#dcdfe9',
  '--mantine-color-error': '#b42318',
  '--mantine-color-anchor': '#3550d1',
  '--c-nav': '#f7f8fb',
  '--c-line': '#e6e8f0',
  '--c-code': '#f3f4f9',
  '--c-hover': '#f5f6fb',
  '--c-raised': '#ffffff',
  '--c-chosen': '#e4e9ff',
  '--c-chosen-text': '#2a42b4',
  '--c-published': '#0b6b4f',
  '--c-published-ground': '#ddf5ec',
  '--c-draft': '#4d5464',
  '--c-draft-ground': '#eceef4',
  '--c-archived': '#8a4b08',
  '--c-archived-ground': '#fcefdc',
  '--c-edited': '#3550d1',
  '--c-added': '#ecfbf1',
  '--c-added-word': '#b2f2c8',
  '--c-removed': '#fff1f1',
  '--c-removed-word': '#ffc9c9',
  '--c-shadow': '0 1px 2px rgb(20 22 31 / 5%), 0 8px 24px rgb(20 22 31 / 6%)',
};

const night = {
  '--mantine-color-body': '#161723',
  '--mantine-color-text': '#dfe1ea',
  '--mantine-color-dimmed': '#a3a6b8',
  '--mantine-color-placeholder': '#9598ab',
  '--mantine-color-default': '#1b1c2a',
  '--mantine-color-default-hover': '#222335',
  '--mantine-color-default-border': '#34364a',
  '--mantine-color-error': '#ff9a8f',
  '--mantine-color-anchor': '#93a4ff',
  '--c-nav': '#0f1019',
  '--c-line': '#262738',
  '--c-code': '#1e1f2e',
  '--c-hover': '#1b1c2a',
  '--c-raised': '#2b2d41',
  '--c-chosen': '#232a52',
  '--c-chosen-text': '#c5cfff',
  '--c-published': '#7fe0bd',
  '--c-published-ground': '#12362b',
  '--c-draft': '#b9bccb',
  '--c-draft-ground': '#262838',
  '--c-archived': '#f3bd7d',
  '--c-archived-ground': '#3a2a15',
  '--c-edited': '#93a4ff',
  '--c-added': '#11301e',
  '--c-added-word': '#1f6b3d',
  '--c-removed': '#34171e',
  '--c-removed-word': '#7a2a38',
  '--c-shadow': '0 1px 2px rgb(0 0 0 / 30%), 0 8px 24px rgb(0 0 0 / 30%)',
};

/** Every pair of text and ground that is used has a contrast of 4.5 or more: axe measures them in the tests. */
export const variables: CSSVariablesResolver = () => ({ variables: {}, light: day, dark: night });
