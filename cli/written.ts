import type { Out } from './io.ts'

/** Writes, and waits where the reader is slower: what comes then stays with the service. */
export async function written(out: Out, text: string | Uint8Array): Promise<void> {
  if (text.length === 0 || out.write(text)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      out.off('drain', done).off('close', done)
      resolve()
    }
    out.on('drain', done).on('close', done)
  })
}
