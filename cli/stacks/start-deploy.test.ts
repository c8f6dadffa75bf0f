import { expect, test } from 'vitest'
import type { Client } from '../api/client.ts'
import type { DeployBody } from '../api/types.ts'
import { ApiFailure } from '../failure.ts'
import { startDeploy } from './start-deploy.ts'

/** Returns the revisions that are sent to a service, and how that ends. */
async function sent(body: DeployBody, shown: number | undefined, refusal?: ApiFailure) {
  const revisions: unknown[] = []
  const post = async (_path: string, { body: given }: { body: DeployBody }) => {
    revisions.push(given.revision)
    if (refusal && given.revision !== undefined) throw refusal
    return 'started'
  }
  const started = startDeploy({ post } as unknown as Pick<Client, 'post'>, 'shop', body, shown)
  const result = await started.catch((error: Error) => error.message)
  return { revisions, result }
}

const unknown = 'body: unknown field "revision"; allowed: services, host'
const older = new ApiFailure(400, unknown, 1)

test('sends the revision that the flags name, or the one that was shown', async () => {
  expect((await sent({ revision: 3 }, 4)).revisions).toEqual([3])
  expect((await sent({}, 4)).revisions).toEqual([4])
  expect((await sent({}, undefined)).revisions).toEqual([undefined])
})

test('leaves out what was shown for a service that does not know it', async () => {
  expect(await sent({}, 4, older)).toEqual({ revisions: [4, undefined], result: 'started' })
})

test('1: does not leave out a revision that the flags name', async () => {
  expect(await sent({ revision: 3 }, 4, older)).toEqual({ revisions: [3], result: unknown })
})

test('1: does not deploy another revision than the one that was shown', async () => {
  const stale = new ApiFailure(409, 'its files were changed', 1, { reason: 'stale-revision' })
  expect(await sent({}, 4, stale)).toEqual({ revisions: [4], result: 'its files were changed' })
})
