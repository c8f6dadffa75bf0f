import type { OutputStream } from '../io.ts'

/** Writes, and waits while the reader is slower. Later messages stay at the service meanwhile. */
export async function writeWithBackpressure(
  out: OutputStream,
  text: string | Uint8Array,
): Promise<void> {
  if (text.length === 0 || out.write(text)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      out.off('drain', done).off('close', done)
      resolve()
    }
    out.on('drain', done).on('close', done)
  })
}
