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
  const known = new Map<string, { stat: FileStat; content: Uint8Array }>()
  let size = 0
  const forget = (path: string) => {
    size -= known.get(path)?.content.length ?? 0
    known.delete(path)
  }
  return {
    find(path, stat) {
      const found = known.get(path)
      if (!found || !same(found.stat, stat)) return undefined
      known.delete(path)
      known.set(path, found)
      return found.content
    },
    keep(path, stat, content) {
      forget(path)
      if (stat.changed.endsWith('.000000000') || content.length > bytesMax / 8) return
      known.set(path, { stat, content })
      size += content.length
      for (const oldest of known.keys()) {
        if (size <= bytesMax) break
        forget(oldest)
      }
    },
    forget,
  }
}

const same = (one: FileStat, other: FileStat) =>
  one.size === other.size && one.mode === other.mode && one.changed === other.changed
