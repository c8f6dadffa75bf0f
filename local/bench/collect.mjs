// Preloaded into a measured program. On SIGUSR2 it collects garbage and writes the remaining memory
// to MEMORY_FILE.
import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

const file = process.env.MEMORY_FILE
if (isMainThread && file) {
  process.on('SIGUSR2', async () => {
    for (let times = 0; times < 5; times += 1) {
      globalThis.gc?.()
      await pause(50)
    }
    writeFileSync(`${file}.part`, JSON.stringify(process.memoryUsage()))
    renameSync(`${file}.part`, file)
  })
}
