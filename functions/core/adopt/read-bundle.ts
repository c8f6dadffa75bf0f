import { type CollectedFiles, collect } from '../bundle/collect.ts'
import { unpack } from '../bundle/unpack.ts'
import type { Needs } from '../ports/ports.ts'
import type { Upload } from '../records/upload.ts'
import { readUpload } from '../uploads/read-upload.ts'

/**
 * A bundle may unpack to twice its size, and a small one to twice this size, because text
 * compresses well. Bytes.
 */
const usualAllowance = 100 * 1024 * 1024

/** The maximum number of files and directories in a bundle. */
const entriesMax = 10_000

/**
 * Reads the uploaded bundle of a project to adopt. The paths in `first` are kept before others.
 *
 * @throws 409 if parts are missing, 400 if the bundle does not match the digest, is not an archive
 *   or is unsafe
 */
export function readBundle(
  adoption: Upload,
  sha256: string,
  first: readonly string[],
  ports: Needs<'uploads'>,
): Promise<CollectedFiles> {
  const unpackedMax = 2 * Math.max(adoption.size, usualAllowance)
  const limits = { unpackedMax, entriesMax, links: false }
  return readUpload(adoption, sha256, (packed) => collect(unpack(packed, limits), first), ports)
}
