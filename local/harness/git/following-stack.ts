import { expect, onTestFinished } from 'vitest'
import { askDocker } from '../../../adapters/testing/docker.ts'
import type { Json } from '../../../adapters/testing/json.ts'
import { newPlace, setUpAdmin, startIn, until } from '../service.ts'
import {
  askOf,
  followedDeployments,
  followFolder,
  makeGitSource,
  type Served,
} from './git-source.ts'
import { type GitServerOptions, startGitServer } from './https-server.ts'
import { makeRepository } from './repository.ts'

const folder = 'apps/shop'

/**
 * Starts a service with a deployed stack that follows a folder of a repository. `push` replaces the
 * compose file there, and returns the commit. The service ends with the test.
 *
 * @param stack its name on the Engine, which the test removes
 * @param instead as of the server of git
 */
export async function startFollowing(
  stack: string,
  compose: string,
  instead: NonNullable<GitServerOptions['instead']>,
) {
  const place = newPlace({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1' })
  onTestFinished(() => place.remove())
  const running = await startIn(place)
  const served: Served = { running, token: await setUpAdmin(place, running) }
  const ask = askOf(served)
  await ask('POST', '/stacks', { name: stack, compose })
  const first = await ask('POST', `/stacks/${stack}/deploy`, {})
  expect([first.status, first.error]).toEqual(['succeeded', null])

  const repository = makeRepository()
  const push = (text: string) => repository.commit({ [`${folder}/compose.yaml`]: text })
  push(compose)
  const server = await startGitServer({ root: repository.root, instead })
  const callHook = await makeGitSource(ask, server)
  await followFolder(ask, stack, folder)
  await ask('POST', `/stacks/${stack}/source/sync`)
  const source = (): Promise<Json> => ask('GET', `/stacks/${stack}/source`)
  const followed = () => followedDeployments(ask, stack)
  await until(source, ({ synced, is_waiting: waits }) => synced !== null && !waits)
  expect(await followed()).toEqual([])

  return {
    place,
    served,
    ask,
    stack,
    push,
    source,
    followed,
    callHook: () => callHook(served.running),
    /** Returns a variable of the container of a service, or '' without one. */
    variable: (service: string, variable: string) =>
      askDocker('exec', `${stack}-${service}-1`, 'sh', '-c', `echo $${variable}`).catch(() => ''),
    /** Waits until nothing is left to do for a commit. Returns what the source deployed. */
    async untilDeployed(commit: string): Promise<Json[]> {
      const isRunning = ({ status }: Json) => status === 'running'
      const state = async () => ({ source: await source(), all: await followed() })
      const { all } = await until(state, ({ source: { synced, is_waiting: waits }, all }) => {
        const isTaken = synced?.revision === commit && !waits
        return isTaken && all[0]?.source.revision === commit && !all.some(isRunning)
      })
      return all
    },
  }
}

export type Following = Awaited<ReturnType<typeof startFollowing>>

/** Expects a stack to be as its files say, with the containers of these services and no others. */
export async function expectWhole({ ask, stack }: Following, services: readonly string[]) {
  const label = `label=com.docker.compose.project=${stack}`
  const listed = await askDocker('ps', '-a', '-f', label, '--format', '{{.Names}} {{.State}}')
  expect(listed.split('\n').sort()).toEqual(services.map((one) => `${stack}-${one}-1 running`))
  expect((await ask('GET', `/stacks/${stack}`)).status).toBe('running')
  const again = await ask('POST', `/stacks/${stack}/deploy`, {})
  expect([again.status, again.error, again.steps]).toEqual(['succeeded', null, []])
}
