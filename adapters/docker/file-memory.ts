/** What tells two states of a file apart without reading it. */
export interface FileStat {
  /** Bytes. */
  size: number
  /** As the Engine says it: permissions in the lowest bits, none of the bits for kinds of files. */
  mode: number
  /** Seconds since the epoch with nine digits behind the point. */
  changed: string
}

/** Contents of files as they were last seen, by the path on the host. */
export interface FileMemory {
  /** The content of that state of the file, when it is known. */
  find(path: string, stat: FileStat): Uint8Array | undefined
  keep(path: string, stat: FileStat, content: Uint8Array): void
  forget(path: string): void
}

/**
 * Remembers up to that many bytes. Not a file whose time has no fraction of a second: where time is that coarse, two states
 * can bear the same.
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
