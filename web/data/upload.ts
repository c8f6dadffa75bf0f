import { asProblem, isTemporary } from './problem.ts'
import { streamedSha256 } from './streamed-sha256.ts'
import { type PackedFile, tarParts } from './tar.ts'

/** A packed archive that is ready to be sent. */
export interface Bundle {
  blob: Blob
  sha256: string
}

/** Packs files as a tar.gz. The browser keeps a large one on disk. */
export async function packBundle(files: readonly PackedFile[]): Promise<Bundle> {
  const packed = new Blob(tarParts(files)).stream().pipeThrough(new CompressionStream('gzip'))
  const blob = await new Response(packed).blob()
  const hash = streamedSha256()
  for (let at = 0; at < blob.size; at += chunk) {
    hash.update(new Uint8Array(await blob.slice(at, at + chunk).arrayBuffer()))
  }
  return { blob, sha256: hash.hex() }
}

/** Bytes that are digested at once. */
const chunk = 4 * 1024 * 1024
/** How often a part is sent. Parts may be sent more than once. */
const triesMax = 3

/**
 * Sends a bundle in parts.
 *
 * @param put sends a part, in base64
 * @param onProgress called with the share that has been sent
 */
export async function sendParts(
  { blob }: Bundle,
  partSize: number,
  put: (n: number, data: string) => Promise<unknown>,
  onProgress: (share: number) => void,
): Promise<void> {
  const count = Math.max(1, Math.ceil(blob.size / partSize))
  for (let n = 0; n < count; n += 1) {
    const data = await base64Of(blob.slice(n * partSize, (n + 1) * partSize))
    await repeat(() => put(n, data))
    onProgress((n + 1) / count)
  }
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (tries === triesMax || !isTemporary(asProblem(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, 1000 * tries))
    }
  }
}

/** Returns the content in base64. */
export function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('error', () => reject(reader.error))
    reader.addEventListener('load', () => {
      const address = String(reader.result)
      resolve(address.slice(address.indexOf(',') + 1))
    })
    reader.readAsDataURL(blob)
  })
}
