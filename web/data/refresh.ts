import { cache } from './cache.ts'
import type { ReadPath } from './paths.ts'

/** Loads what is shown of these paths again; the rest is loaded when it is read. */
export function refresh(...paths: readonly ReadPath[]): void {
  for (const entry of cache.entries()) {
    if (paths.some((path) => path === entry.path)) entry.refresh()
  }
}
