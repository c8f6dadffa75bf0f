import { engineGet } from '../running/engine.ts'
import { inspectProject } from '../running/inspect.ts'
import { callRoute } from './call-route.ts'
import { type Environment, saveEnvironment, variableOf } from './environment.ts'
import { buildEach, withDependencies } from './image-verbs.ts'
import { serviceVerb } from './lifecycle-verbs.ts'
import { failedWith, type Output, outputOfDeployment, silent, together } from './output.ts'
import type { OurStack } from './stack.ts'
import { statusOf } from './status.ts'
import { untilDone } from './until-done.ts'
import { type ComposeWords, lastValue } from './words.ts'

/** Runs a command in a container of a service. */
export async function exec(
  stack: OurStack,
  words: ComposeWords,
  environment: Environment,
): Promise<Output> {
  const [service = '', ...command] = words.names
  const index = lastValue(words, '--index')
  const known = variablesIn(words, environment)
  // The service sets no variables of commands, so they are set in the container.
  const withEnv = Object.keys(known).length > 0
  const set = withEnv ? ['env', ...Object.entries(known).map(([k, v]) => `${k}=${v}`)] : []
  const flags = ['-T', ...(index === undefined ? [] : ['--index', index])]
  return stack.client.run([
    ...['stacks', 'exec', ...flags, stack.path.name, service, '--', ...set, ...command],
  ])
}

/** Waits until the containers of services have ended. */
export const wait = (stack: OurStack, { names }: ComposeWords): Promise<Output> =>
  stack.client.run(['stacks', 'wait', stack.path.name, ...names])

/** Makes an image of a container. */
export function commit(stack: OurStack, words: ComposeWords): Promise<Output> {
  const [service = '', image = ''] = words.names
  const given = ['--index', '-a', '-c', '-m'].flatMap((flag) =>
    (words.values.get(flag) ?? []).flatMap((value) => [flag, value]),
  )
  return stack.client.run(['stacks', 'commit', ...given, stack.path.name, service, image])
}

/** Returns the variables of `-e`; those without a value are taken from the environment. */
function variablesIn(words: ComposeWords, environment: Environment): Record<string, string> {
  const given = [...(words.values.get('-e') ?? []), ...(words.values.get('--env') ?? [])]
  return Object.fromEntries(
    given.flatMap((text) => {
      const at = text.indexOf('=')
      if (at >= 0) return [[text.slice(0, at), text.slice(at + 1)]]
      const value = variableOf(environment, text)
      return value === undefined ? [] : [[text, value]]
    }),
  )
}

/** Runs a command in a new container of a service, after what the service needs is up. */
export async function run(
  stack: OurStack,
  words: ComposeWords,
  environment: Environment,
): Promise<Output> {
  const [service = '', ...command] = words.names
  await activate(stack, service, environment)
  const needed = withDependencies(stack, service)
  const { services } = stack.project()
  // The deploy of what it needs builds those with this policy.
  const asked = needed.filter((name) => name === service || services[name]?.pull_policy !== 'build')
  const missing = words.flags.has('--build')
    ? asked.filter((name) => services[name]?.build)
    : await unbuilt(stack, asked)
  const built = await buildEach(stack, missing)
  const pulls = lastValue(words, '--pull') === 'always'
  const pulled = pulls ? await serviceVerb(stack, 'pull', service) : silent
  const prepared = together([built, pulled, await prepare(stack, service, needed)])
  if (prepared.code !== 0) return prepared
  const variables = Object.entries(variablesIn(words, environment))
  const flags = [
    '-T',
    ...(words.flags.has('--rm') ? [] : ['--keep']),
    ...(words.flags.has('--service-ports') ? ['--service-ports'] : []),
    ...(words.values.get('--publish') ?? []).flatMap((port) => ['--publish', port]),
    ...variables.flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ]
  const rest = command.length > 0 ? ['--', ...command] : []
  const argv = ['stacks', 'run', ...flags, stack.path.name, service, ...rest]
  if (words.flags.has('-d')) return detached(stack, argv, service)
  return together([prepared, await stack.client.run(argv)])
}

/** Activates the profiles of a service that the project does not have without them. */
async function activate(stack: OurStack, service: string, environment: Environment) {
  if (stack.project().services[service]) return
  const own = new Map([...environment.own, ['COMPOSE_PROFILES', '*']])
  await saveEnvironment(stack, { ...environment, own })
}

/** Returns the services that have a build and no image. */
async function unbuilt(stack: OurStack, names: readonly string[]): Promise<string[]> {
  const { services } = stack.project()
  const missing: string[] = []
  for (const name of names) {
    const service = services[name]
    if (!service?.build) continue
    const image = service.image ?? `${stack.path.name}-${name}`
    if (!(await engineGet(`/images/${image}/json`))) missing.push(name)
  }
  return missing
}

/** Leaves the client attached in the background, and returns when the container runs. */
async function detached(stack: OurStack, argv: string[], service: string): Promise<Output> {
  const earlier = Object.values((await inspectProject(stack.path.name)).containers)
  const known = new Set(earlier.map(({ Id }) => Id))
  let ended: Output | undefined
  void stack.client.run(argv).then((output) => {
    ended = output
  })
  const started = await untilDone(
    async () => Object.values((await inspectProject(stack.path.name)).containers),
    (all) =>
      ended !== undefined ||
      all.some(
        ({ Config, Id, State }) =>
          !known.has(Id) &&
          Config.Labels['com.docker.compose.oneoff'] === 'True' &&
          Config.Labels['com.docker.compose.service'] === service &&
          State.Running,
      ),
    30,
  )
  return ended ?? (started ? silent : failedWith('the container does not start'))
}

/**
 * Brings up what a one-off container needs, because the service only checks that it is up: the
 * services that it depends on, and networks. All others are scaled to 0.
 */
async function prepare(stack: OurStack, service: string, needed: string[]): Promise<Output> {
  const rows = await statusOf(stack)
  const isUp = (name: string) => rows.some((row) => row.service === name && row.container_id)
  const others = needed.filter((name) => name !== service)
  if (rows.some((row) => row.container_id) && others.every(isUp)) return silent
  // The project does not have the service while its profile is not active.
  const all = new Set([...Object.keys(stack.project().services), service])
  const down = [...all].filter((name) => !others.includes(name) && !isUp(name))
  const scale = Object.fromEntries(down.map((name) => [name, 0]))
  return outputOfDeployment(
    await callRoute(stack, 'POST /stacks/{name}/deploy', { body: { scale } }),
  )
}
