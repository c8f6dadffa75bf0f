import { useEffect } from 'preact/hooks'
import { useResource } from './cache.ts'
import type { ReadParams, ReadPath, ReadValue } from './paths.ts'
import type { Resource } from './resource-cache.ts'

/**
 * Reads a resource that no event keeps current: again after each interval, while the page is seen.
 *
 * @param interval milliseconds
 */
export function usePolled<P extends ReadPath>(
  path: P,
  params: ReadParams<P>,
  interval: number,
): Resource<ReadValue<P>> {
  const read = useResource(path, params)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void read.reload()
    }, interval)
    return () => clearInterval(timer)
  }, [read, interval])
  return read
}
