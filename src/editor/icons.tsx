import { createIcon } from '../explorer/icons.tsx';

export const WarningIcon = createIcon('M12 4 2.800 19.500h18.400zM12 10v4.500M12 17.200v.1');
export const PlusIcon = createIcon('M12 5v14M5 12h14');
export const UpIcon = createIcon('M12 19V5M6 11l6-6 6 6');
export const DownIcon = createIcon('M12 5v14M6 13l6 6 6-6');
export const BinIcon = createIcon(
  'M4.500 7h15M9.500 7V4.500h5V7M6.500 7l1 13h9l1-13M10 11v5.500M14 11v5.500',
);
export const UndoIcon = createIcon('M8.500 5 4 9.500 8.500 14M4 9.500h10a5.500 5.500 0 0 1 0 11h-3');
export const RedoIcon = createIcon('M15.500 5 20 9.500 15.500 14M20 9.500H10a5.500 5.500 0 0 0 0 11h3');
export const PhotoIcon = createIcon(
  'M3.500 5.500h17v13h-17zM3.500 16l5-5 4.500 4.500 2.500-2.500 5 5M15.500 9.800a.8.8 0 1 0 0-1.600.8.8 0 0 0 0 1.600z',
);
export const EditIcon = createIcon('M4 20h4L19.500 8.500l-4-4L4 16zM13 7l4 4');
export const BranchIcon = createIcon(
  'M7 7.500v9M7 7.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 20.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 9.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 9.500c0 4-6 3-9.500 6',
);
