import { internalError } from '../../../functions/core/errors.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Uploads } from '../../../functions/core/ports/uploads.ts'
import type { Upload } from '../../../functions/core/records/upload.ts'

/** Returns an in-memory store of uploads and their parts. */
export function memoryUploads(clock: Clock): Uploads {
  const uploads = new Map<string, Upload>()
  const parts = new Map<string, Map<number, Uint8Array>>()
  const live = (id: string) => {
    const upload = uploads.get(id)
    return upload && upload.expiresAt > clock.now() ? upload : undefined
  }
  return {
    async find(id) {
      return structuredClone(live(id))
    },
    async save(upload) {
      uploads.set(upload.id, structuredClone(upload))
    },
    async listByAccount(accountId) {
      const own = [...uploads.keys()].sort().flatMap((id) => live(id) ?? [])
      return structuredClone(own.filter((upload) => upload.accountId === accountId))
    },
    async remove({ id }) {
      uploads.delete(id)
      parts.delete(id)
    },
    async putPart({ id }, part, bytes) {
      const own = parts.get(id) ?? new Map()
      parts.set(id, own.set(part, Uint8Array.from(bytes)))
    },
    async received(id) {
      return [...(parts.get(id)?.keys() ?? [])].sort((one, other) => one - other)
    },
    async *readPart(id, part) {
      const bytes = parts.get(id)?.get(part)
      if (!bytes) throw internalError('A part of the bundle is missing')
      yield bytes
    },
    async removeParts(id) {
      parts.delete(id)
    },
  }
}
