import type { Json } from '../../adapters/testing/json.ts'
import { memoryBackground } from '../../adapters/testing/memory/background.ts'
import { present } from '../../adapters/testing/present.ts'
import create from '../../functions/stacks/jobs/create.ts'
import get from '../../functions/stacks/jobs/get.ts'
import runBySchedule from '../../functions/stacks/jobs/run-by-schedule.ts'
import { call } from './call.ts'
import { accountOf, type TestCaller } from './sign-in.ts'
import { givenStack, shop, type World, world } from './world.ts'

/** The account that makes jobs. */
export const olga = { username: 'olga', role: 'operator' }

/** A stack with two services that run, and the service `job`, which only one-off containers use. */
const compose = `${shop.replace('volumes:\n  data:', '')}  job:
    image: busybox:latest
    profiles: [tools]
    command: echo from the service
volumes:
  data:
`

/** The path of a job of the stack. */
export const jobPath = { name: 'shop', job: 'nightly' }

export const jobBody = {
  job: 'nightly',
  service: 'job',
  command: ['sh', '-c', 'echo done'],
  schedule: '0 * * * *',
}

/** A world with the deployed stack `shop`. */
export async function jobWorld(): Promise<World> {
  const here = world()
  await givenStack(here, 'shop', { compose })
  return here
}

/** Creates the job `nightly`, which runs every hour, changed by `more`. */
export async function givenJob({ ports }: World, more: Json = {}, as: TestCaller = olga) {
  const body = { ...jobBody, ...more }
  const made = await call(create, { ports, as, path: { name: 'shop' }, body })
  if (made.status !== 201) throw new Error(made.text)
  return made.json
}

/** Runs the schedule in a process, and waits for the runs that it began. */
export async function tick({ ports }: World, after = 0, processId = 'process-1') {
  ports.clock.advance(after)
  const background =
    processId === ports.background.processId ? ports.background : memoryBackground(processId)
  await runBySchedule.with({ ...ports, background })()
  await background.settled()
}

/** Returns the job as another admin sees it. */
export async function shownJob({ ports }: World, path = jobPath): Promise<Json> {
  const as = { username: 'another-admin', role: 'admin' }
  return (await call(get, { ports, as, path })).json
}

/** Changes the account that made the job. */
export async function changeOlga({ ports }: World, change: Json) {
  await ports.accounts.replace({ ...(await accountOf(ports, olga)), ...change })
}

/** Returns the stored job. */
export const storedJob = async ({ ports }: World) =>
  present(await ports.stackJobs.find('shop.nightly'))

/** Returns the one-off containers on the host. */
export const oneOffs = ({ engine }: World) =>
  [...engine.state.containers.values()].filter(({ name }) => name.includes('-run-'))
