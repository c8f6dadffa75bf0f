import { LRUCache } from 'lru-cache'

/** Metadata that distinguishes two versions of a file without reading it. */
export interface FileStat {
  /** Bytes. */
  size: number
  /** The mode from the Engine: permissions in the lowest bits, without the bits for file types. */
  mode: number
  /** Seconds since the epoch with nine decimal digits. */
  changed: string
}

/** A cache of file contents by path on the host. */
export interface FileMemory {
  /** Returns the content of that version of the file if it is cached. */
  find(path: string, stat: FileStat): Uint8Array | undefined
  keep(path: string, stat: FileStat, content: Uint8Array): void
  forget(path: string): void
}

/**
 * Returns a cache of up to `bytesMax` bytes. Files whose time has no fraction of a second are not
 * cached: with such coarse times, two versions can have the same one.
 */
export function fileMemory(bytesMax = 8 * 1024 * 1024): FileMemory {
  const known = new LRUCache<string, { stat: FileStat; content: Uint8Array }>({
    maxSize: bytesMax,
    maxEntrySize: bytesMax / 8,
    // The library refuses a size of 0.
    sizeCalculation: ({ content }) => Math.max(1, content.length),
  })
  return {
    find(path, stat) {
      const found = known.get(path)
      return found && same(found.stat, stat) ? found.content : undefined
    },
    keep(path, stat, content) {
      if (stat.changed.endsWith('.000000000')) known.delete(path)
      else known.set(path, { stat, content })
    },
    forget: (path) => void known.delete(path),
  }
}

const same = (one: FileStat, other: FileStat) =>
  one.size === other.size && one.mode === other.mode && one.changed === other.changed
