/** Removes the entries that were added first until at most `max` remain. */
export function evictOldest<K>(
  entries: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>,
  max: number,
) {
  if (entries.size <= max) return
  for (const oldest of entries.keys()) {
    entries.delete(oldest)
    if (entries.size <= max) return
  }
}
