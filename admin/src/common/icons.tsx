import type { SVGProps } from 'react';

/** Lines of each icon in a square of 24. */
const PATHS = {
  pen: 'M4 20l1.6-6L16.5 3.1a1.5 1.5 0 0 1 2.1 0l2.3 2.3a1.5 1.5 0 0 1 0 2.1L10 18.4 4 20z M14 5.6l4.4 4.4',
  list: 'M8 6h12 M8 12h12 M8 18h12 M4 6h.01 M4 12h.01 M4 18h.01',
  tag: 'M4 4h8l8.5 8.5-8 8L4 12z M8.500 8.500h.01',
  tagOff: 'M4 4h8l8.5 8.5-8 8L4 12z M9.500 12.300h5.500',
  plus: 'M12 5v14 M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14z M20 20l-4-4',
  close: 'M6 6l12 12 M18 6L6 18',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M12 2v2 M12 20v2 M2 12h2 M20 12h2 M5 5l1.4 1.4 M17.6 17.6L19 19 M5 19l1.4-1.4 M17.6 6.4L19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cloud: 'M7 18a4 4 0 0 1-.6-8A6 6 0 0 1 18 11a3.5 3.5 0 0 1 0 7H7z',
  alert: 'M12 8v5 M12 16.5h.01 M10.3 4.2L2.7 17.5A2 2 0 0 0 4.4 20.5h15.2a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0z',
  trash: 'M4 7h16 M10 11v6 M14 11v6 M6 7l1 13h10l1-13 M9 7V4h6v3',
  hide: 'M4 4l16 16 M9.5 5.6A9.8 9.8 0 0 1 12 5.300c5 0 8.500 4.200 9.500 6.700-.5 1.200-1.500 2.800-3 4.100 M6.300 7.400C4.300 8.800 3 10.800 2.500 12c1 2.500 4.500 6.700 9.500 6.700 1.600 0 3-.4 4.200-1 M10 10a2.800 2.800 0 0 0 4 4',
  history: 'M4 12a8 8 0 1 0 2.500-5.800L4 8.500 M4 4v4.500h4.500 M12 7.500V12l3 2',
  back: 'M9 7L4 12l5 5 M4 12h10a6 6 0 0 1 6 6',
  archive: 'M3 5h18v4H3z M5 9v10h14V9 M10 13h4',
  more: 'M5 12h.01 M12 12h.01 M19 12h.01',
  open: 'M11 6H5v13h13v-6 M14 4h6v6 M20 4l-9 9',
  exit: 'M14 8V5H5v14h9v-3 M10 12h11 M18 9l3 3-3 3',
  book: 'M4 5.5A2.5 2.5 0 0 1 6.5 3H20v15H6.5A2.5 2.5 0 0 0 4 20.5z M4 20.5A2.5 2.5 0 0 0 6.5 21H20',
  mail: 'M3 6h18v12H3z M3 7l9 7 9-7',
  inbox: 'M4 13l2.5-8h11L20 13v6H4z M4 13h5l1.5 3h3L15 13h5',
  bold: 'M7 5h6.5a3.5 3.5 0 0 1 0 7H7z M7 12h7.5a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M10 5h7 M7 19h7 M14 5l-4 14',
  code: 'M8 7l-5 5 5 5 M16 7l5 5-5 5 M13.5 5l-3 14',
  link: 'M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3 M14 10a4 4 0 0 0-5.7 0l-3.1 3.100a4 4 0 0 0 5.7 5.700L12 17.7',
  heading: 'M6 5v14 M18 5v14 M6 12h12',
  quote: 'M5 5v14 M10 8h9 M10 12h9 M10 16h6',
  numbers: 'M10 6h10 M10 12h10 M10 18h10 M4.5 4.500L6 4v5 M4 14.500c.5-1 2.5-1 2.5.3 0 1.2-2.5 2-2.5 3.200h2.5',
  task: 'M4 5h14v14H4z M8 12l2.5 2.5L21 6',
  codeBlock: 'M3 5h18v14H3z M9.5 9.5L7 12l2.500 2.500 M14.5 9.500L17 12l-2.500 2.500',
  table: 'M3 5h18v14H3z M3 10h18 M3 14.500h18 M10 5v14',
  image: 'M3 5h18v14H3z M3 16l5-5 5 5 M12 15l3-3 6 5 M16.500 8.500h.01',
  keyboard: 'M2 6h20v12H2z M6 10h.01 M10 10h.01 M14 10h.01 M18 10h.01 M8 14h8',
} as const;

export type IconName = keyof typeof PATHS;

interface IconProps extends SVGProps<SVGSVGElement> {
  readonly name: IconName;
  /** Pixels. */
  readonly size?: number;
}

/** A picture beside a word, or in a button that has a label of its own. */
export function Icon({ name, size = 18, ...rest }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable={false}
      {...rest}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
