import { conflict, invalid } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import { partsOf, sizeOfPart, type Upload } from '../records/upload.ts'

/**
 * Stores a part of an upload.
 *
 * @throws 400 if the upload has no such part or the part has another size, 409 if it is complete
 */
export async function putPart(
  upload: Upload,
  part: number,
  bytes: Uint8Array,
  { uploads }: Needs<'uploads'>,
): Promise<void> {
  if (upload.done) throw conflict(`upload ${upload.id}: it is complete`)
  const parts = partsOf(upload.size)
  if (part >= parts) throw invalid(`path.n: the bundle has ${parts} parts, from 0`)
  const wanted = sizeOfPart(upload.size, part)
  if (bytes.length !== wanted) {
    throw invalid(`body.data: part ${part} is ${wanted} bytes in base64`)
  }
  await uploads.putPart(upload, part, bytes)
}
