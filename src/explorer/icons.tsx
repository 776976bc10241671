/** `path` is drawn in a view box of 24 by 24. */
export const createIcon = (path: string) => () => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);

export const HouseIcon = createIcon('M3.5 11.5 12 4l8.5 7.5M6 9.8V20h4.5v-5.5h3V20H18V9.8');
export const BackIcon = createIcon('M15 5l-7 7 7 7');
export const ForwardIcon = createIcon('M9 5l7 7-7 7');
export const CloseIcon = createIcon('M6 6l12 12M18 6 6 18');
export const CheckIcon = createIcon('M5 12.5l4.5 4.5L19 7.5');
export const CopyIcon = createIcon('M9 9h10v11H9zM6 15H5V4h10v2');
export const PinIcon = createIcon(
  'M12 21c4.5-4.6 7-8 7-11a7 7 0 1 0-14 0c0 3 2.5 6.4 7 11zM12 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6z',
);
export const ListIcon = createIcon('M4 6h16M4 12h16M4 18h16');
export const MailIcon = createIcon('M3.5 6h17v12h-17zM4 7l8 6 8-6');
export const PhoneIcon = createIcon(
  'M6.5 3.5h3l1.5 4-2 1.5c1 2.3 2.7 4 5 5l1.5-2 4 1.5v3c0 1.2-1 2-2.2 1.9C10.5 17.800 5.700 13 4.600 5.700 4.500 4.500 5.300 3.500 6.500 3.500z',
);
export const CodeIcon = createIcon('M8.500 7 3.500 12l5 5M15.500 7l5 5-5 5');
export const FilterIcon = createIcon('M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5');
