import { askDocker } from './docker.ts'
import { until } from './service.ts'

/** A command for `RUN` that waits until the test releases it. */
export const untilReleased = 'while [ ! -e /go ]; do sleep 0.1; done; rm /go'

/** Returns the IDs of the build containers whose command has this text. */
async function heldSteps(text: string): Promise<string[]> {
  const lines = await askDocker('ps', '--no-trunc', '--format', '{{.ID}} {{.Command}}')
  return lines
    .split('\n')
    .filter((line) => line.includes('-e /go') && line.includes(text))
    .map((line) => line.slice(0, line.indexOf(' ')))
}

/** Waits for the build step whose command has this text. Returns the ID of its container. */
export async function untilHeld(text: string): Promise<string> {
  const [id = ''] = await until(
    () => heldSteps(text),
    ({ length }) => length > 0,
  )
  return id
}

/** Releases a build step. */
export const release = (id: string) => askDocker('exec', id, 'touch', '/go')

/** Releases each build step whose command has this text, until the build has ended. */
export async function releaseAll(text: string, build: Promise<unknown>): Promise<void> {
  let isOver = false
  const ended = build.finally(() => {
    isOver = true
  })
  // A step may end between the look and the release.
  while (!isOver) for (const id of await heldSteps(text)) await release(id).catch(() => '')
  await ended
}
