import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const preload = new URL('./collect.mjs', import.meta.url).href

/**
 * Returns the environment for a program whose memory is read with `collected`. It writes to `file`.
 */
export const collecting = (file: string) => ({
  NODE_OPTIONS: `--expose-gc --import ${preload}`,
  MEMORY_FILE: file,
})

/** Returns the resident memory and heap of a program after a garbage collection, in MiB. */
export async function collected(
  pid: number,
  file: string,
): Promise<{ resident: number; heap: number }> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let waited = 0; !existsSync(file); waited += 20) {
    if (waited > 60_000) throw new Error(`process ${pid} does not report its memory`)
    await pause(20)
  }
  const { rss, heapUsed } = JSON.parse(readFileSync(file, 'utf8'))
  return { resident: rss / 2 ** 20, heap: heapUsed / 2 ** 20 }
}
