import { useEffect, useState } from 'preact/hooks';

export function useMediaQuery(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setHolds(media.matches);
    // The result may have changed since the first render.
    update();
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, [query]);
  return holds;
}
