import { callRoute } from './call-route.ts'
import { buildEach } from './image-verbs.ts'
import { replicasIn, serviceVerb, verbOf } from './lifecycle-verbs.ts'
import { failedWith, type Output, outputOfDeployment, together } from './output.ts'
import { logs } from './read-verbs.ts'
import type { OurStack } from './stack.ts'
import { type StatusRow, statusOf } from './status.ts'
import { untilDone } from './until-done.ts'
import { type ComposeWords, lastValue } from './words.ts'

/** How long containers may run until they have ended or are healthy, by default. Seconds. */
const timeoutSeconds = 60

/** Deploys, then does what the flags ask of docker compose itself: attach, wait, stop. */
export async function up(stack: OurStack, words: ComposeWords): Promise<Output> {
  const { flags, names } = words
  const built = flags.has('--build') ? await buildAll(stack, names) : together([])
  const deployed = built.code === 0 ? await deploy(stack, words) : built
  const output = together([...(deployed === built ? [] : [built]), deployed])
  if (output.code !== 0) return output
  if (flags.has('--wait') || lastValue(words, '--wait-timeout')) {
    return together([output, await waitUntilUp(stack, words)])
  }
  return flags.has('-d') ? output : together([output, await attach(stack, words)])
}

/** Creates containers without starting them. */
export const create = (stack: OurStack, words: ComposeWords): Promise<Output> =>
  deploy(stack, words, { start: false })

async function buildAll(stack: OurStack, names: readonly string[]): Promise<Output> {
  const { services } = stack.project()
  const all = names.length > 0 ? names : Object.keys(services)
  return buildEach(
    stack,
    all.filter((name) => services[name]?.build),
  )
}

async function deploy(stack: OurStack, words: ComposeWords, more: object = {}): Promise<Output> {
  const { flags, globals, names, profiles, values } = words
  const scales = replicasIn(values.get('--scale') ?? [])
  if (flags.has('--no-recreate')) {
    const outputs: Output[] = []
    for (const [service, replicas] of scales) {
      outputs.push(await serviceVerb(stack, 'scale', service, { replicas }))
    }
    return together(outputs)
  }
  const body = {
    ...more,
    scale: Object.fromEntries(scales),
    force_recreate: flags.has('--force-recreate'),
    remove_orphans: flags.has('--remove-orphans') || removesOrphans(stack),
    ...(names.length > 0 && { services: names }),
    ...(profiles.length > 0 && { profiles }),
    ...(globals.includes('--all-resources') && { all_resources: true }),
  }
  return outputOfDeployment(await callRoute(stack, 'POST /stacks/{name}/deploy', { body }))
}

/** docker compose reads this variable as the flag; the service knows only the field. */
const removesOrphans = ({ environment }: OurStack) =>
  /^COMPOSE_REMOVE_ORPHANS='?(?:true|1)/m.test(environment)

/** Waits until the containers run and are healthy, or jobs have ended. */
async function waitUntilUp(stack: OurStack, words: ComposeWords): Promise<Output> {
  const seconds = Number(lastValue(words, '--wait-timeout') ?? timeoutSeconds)
  const isUp = ({ state, health, exit_code }: StatusRow) =>
    (state === 'running' && (health === null || health === 'healthy')) || exit_code === 0
  const ask = () => statusOf(stack, words.names)
  if (await untilDone(ask, (rows) => rows.every(isUp), seconds)) return together([])
  return failedWith(`application not healthy after ${seconds}s\n`)
}

/** Waits until containers have ended as the flags say, and returns what they printed. */
async function attach(stack: OurStack, { flags, names }: ComposeWords): Promise<Output> {
  const hasEnded = ({ state, exit_code }: StatusRow) => state === 'exited' && exit_code !== null
  const hasFailed = (row: StatusRow) => hasEnded(row) && row.exit_code !== 0
  const onExit = flags.has('--abort-on-container-exit')
  const onFailure = flags.has('--abort-on-container-failure')
  const isOver = (rows: StatusRow[]) =>
    (onExit && rows.some(hasEnded)) || (onFailure && rows.some(hasFailed)) || rows.every(hasEnded)
  const rows = await untilDone(() => statusOf(stack, names), isOver, timeoutSeconds)
  if (!rows) return failedWith('containers are still running\n')
  if (onExit || onFailure) await verbOf('stop')(stack, { names: [] })
  const ended = rows.filter(hasEnded)
  const lines = ended.map(({ name, exit_code }) => `${name} exited with code ${exit_code}\n`)
  const { stdout, stderr } = await logs(stack, { names })
  const code = onFailure ? (ended.find(hasFailed)?.exit_code ?? 0) : 0
  return { code, stdout: `${stdout}${lines.join('')}`, stderr }
}
