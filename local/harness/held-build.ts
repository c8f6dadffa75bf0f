import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { namesIn } from '../setup/processes.mjs'
import { until } from './service.ts'

/** A command for `RUN` that waits until the test releases it. */
export const untilReleased = 'while [ ! -e /go ]; do sleep 0.1; done; rm /go'

/**
 * Returns the process ids of the build steps whose command has this text. BuildKit lists no
 * containers of builds, so they are looked up among the processes of this machine.
 */
async function heldSteps(text: string): Promise<string[]> {
  const ids = namesIn('/proc').filter((name) => /^\d+$/.test(name))
  const held: string[] = []
  for (const id of ids) {
    // It may have ended.
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    const isShell = command.startsWith('/bin/sh\0-c\0')
    if (isShell && command.includes('-e /go') && command.includes(text)) held.push(id)
  }
  return held
}

/** Waits for the build step whose command has this text. Returns the id of its process. */
export async function untilHeld(text: string): Promise<string> {
  const [id = ''] = await until(
    () => heldSteps(text),
    ({ length }) => length > 0,
  )
  return id
}

/** Releases a build step. */
export const release = (id: string) => writeFile(`/proc/${id}/root/go`, '')

/** Releases each build step whose command has this text, until the build has ended. */
export async function releaseAll(text: string, build: Promise<unknown>): Promise<void> {
  let isOver = false
  const ended = build.finally(() => {
    isOver = true
  })
  // A step may end between the look and the release.
  while (!isOver) {
    for (const id of await heldSteps(text)) await release(id).catch(() => '')
    await pause(50)
  }
  await ended
}
