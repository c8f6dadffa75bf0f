import { pack } from 'tar-stream'
import type { HostFile } from '../engine/engine.ts'

/** What ends a tar archive: two blocks of zeros. */
const endBytes = 1024

/** Files as one tar archive, without its end: another archive may follow. Directories are left out. */
export async function tarEntries(files: readonly HostFile[]): Promise<Uint8Array> {
  const whole = await tarOf(files)
  return whole.subarray(0, whole.length - endBytes)
}

/** Files as one tar archive. */
export async function tarOf(files: readonly HostFile[]): Promise<Uint8Array> {
  const archive = pack()
  for (const { path, content, mode } of files) {
    archive.entry({ name: path, mode }, Buffer.from(content))
  }
  archive.finalize()
  const chunks: Uint8Array[] = []
  for await (const chunk of archive) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
