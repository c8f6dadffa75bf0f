import type { PackedFile } from './tar.ts'

/** A request with files is at most this large; the service accepts 4 MiB. Bytes. */
const requestMax = 3.5 * 1024 * 1024
/** One file of a request is at most this large. Bytes. */
const requestFileMax = 2 * 1024 * 1024

/**
 * Returns the files that fit into one request, smallest first, and the others: a compose file reads
 * small ones, and the stack does not load without them.
 *
 * @param used the bytes of the request without the files
 */
export function splitFiles(
  files: readonly PackedFile[],
  used: number,
): [PackedFile[], PackedFile[]] {
  const bySize = [...files].sort((one, other) => one.file.size - other.file.size)
  let total = used
  const fits = bySize.filter(({ path, file }) => {
    if (file.size > requestFileMax) return false
    total += Math.ceil(file.size / 3) * 4 + path.length * 2 + 80
    return total <= requestMax
  })
  const sentFirst = new Set(fits)
  return [fits, bySize.filter((file) => !sentFirst.has(file))]
}
